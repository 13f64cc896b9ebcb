// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/completion.h"

namespace pws::platform {

namespace {

// bash cuts words at "=" and ":" and replaces what stands behind the last of them.
constexpr const char* bash_script = R"script(# bash completion for pwsvp and pwscc; made by: pwsvp completion bash
_pwsvp() {
  local words=() k word line current reply files=0 folders=0 endings=() more=0
  for ((k = 0; k <= COMP_CWORD; k++)); do
    word=${COMP_WORDS[k]}
    if [[ ${#words[@]} -gt 0 && ($word == [=:] || ${words[-1]} == *[=:]) && ! ($k -eq $COMP_CWORD && ${COMP_LINE:COMP_POINT-1:1} == [[:blank:]]) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  current=${words[-1]}
  COMPREPLY=()
  local program=${words[0]/#\~\//$HOME/}
  while IFS= read -r line; do
    case $line in
      :folders) folders=1 ;;
      :files*) files=1; read -ra endings <<<"${line#:files}" ;;
      *) reply=${line%%$'\t'*}
         [[ $reply == *[=.] ]] && more=1
         [[ $current == *[=:]* ]] && reply=${reply#"${current%"${current##*[=:]}"}"}
         COMPREPLY+=("$reply") ;;
    esac
  done < <("${program%pwscc}${program:+$([[ $program == *pwscc ]] && echo pwsvp)}" __complete "${words[@]}" 2>/dev/null)
  current=${current##*[=:]}
  if ((files || folders)); then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
      compgen -d -- "$current"
      if ((files)); then
        if ((${#endings[@]})); then
          for word in "${endings[@]}"; do compgen -f -X "!*.$word" -- "$current"; done
        else
          compgen -f -- "$current" | while IFS= read -r line; do [[ -d $line ]] || printf '%s\n' "$line"; done
        fi
      fi)
  elif ((more)); then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}
complete -F _pwsvp pwsvp pwscc
)script";

constexpr const char* zsh_script = R"script(#compdef pwsvp pwscc
# zsh completion for pwsvp and pwscc; made by: pwsvp completion zsh
_pwsvp() {
  local program=${words[1]/#\~\//$HOME/} line word help
  local -a whole begun endings
  [[ $program == *pwscc ]] && program=${program%pwscc}pwsvp
  for line in "${(@f)$("$program" __complete "${(@Q)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    case $line in
      :folders) compset -P '*='; _files -/ ;;
      :files*)
        endings=(${=line#:files})
        compset -P '*='
        if (($#endings)); then _files -g "*.(${(j:|:)endings})"; else _files; fi ;;
      ?*)
        word=${line%%$'\t'*} help=${line#*$'\t'}
        word=${word//:/\\:}${help:+:$help}
        if [[ ${line%%$'\t'*} == *[=.] ]]; then begun+=("$word"); else whole+=("$word"); fi ;;
    esac
  done
  (($#whole)) && _describe 'pwsvp' whole
  (($#begun)) && _describe 'pwsvp' begun -S ''
  return 0
}
if [[ $funcstack[1] == _pwsvp ]]; then _pwsvp "$@"; else compdef _pwsvp pwsvp pwscc; fi
)script";

// fish writes no blank behind what ends in "=" or ".".
constexpr const char* fish_script = R"script(# fish completion for pwsvp and pwscc; made by: pwsvp completion fish
function __pwsvp_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r 'pwscc$' pwsvp -- $words[1])
    for line in ($program __complete $words 2>/dev/null)
        switch $line
            case ':folders'
                __fish_complete_directories (commandline -ct)
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':files *'
                for ending in (string split -n ' ' -- (string replace ':files' '' -- $line))
                    __fish_complete_suffix .$ending
                end
            case '*'
                echo $line
        end
    end
end
complete -c pwsvp -f -a '(__pwsvp_complete)'
complete -c pwscc -f -a '(__pwsvp_complete)'
)script";

}  // namespace

const char* completion_script(shell s) {
  switch (s) {
    case shell::bash:
      return bash_script;
    case shell::zsh:
      return zsh_script;
    case shell::fish:
      break;
  }
  return fish_script;
}

}  // namespace pws::platform
