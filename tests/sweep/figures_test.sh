#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# figures_test.sh PWSVP ROOT: the numbers of figures, from a table whose values are known (PWS paper, Table 2).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
cat >grid.yaml <<YAML
title: "Known <values> & \"quotes\""
command: graph
config: $root/configs/graphs/figure8.yaml
axes:
- {name: d, key: d, values: [1, 41]}
- {name: S, key: S, values: [3, 1, 2]}
except:
- {d: "41", S: "2"}
small: {axes: {S: ["1", "2"]}, except: [{d: "41", S: "1"}]}
measures: {none: bounds.none.E_kernel, pws: bounds.pws.E_kernel, dws: bounds.dws.E_kernel}
figures:
- title: Forms
  x: S
  at: {d: "1"}
  unit: various
  sorted: true
  means: [geometric, arithmetic]
  lines:
  - {label: plain, measure: dws}
  - {label: ratio, measure: pws, base: none, as: ratio}
  - {label: speedup, measure: pws, base: none, as: speedup}
  - {label: reduction, measure: pws, base: none, as: reduction}
  - {label: to S = 1, measure: dws, as: ratio, base_at: {S: "1"}}
  paper: [{x: "3", line: printed, value: 245}, {line: across, value: 1.5}]
- title: Series
  x: S
  series: d
  plot: lines
  unit: cycles
  lines: [{label: none, measure: none}]
- title: Empty
  x: S
  at: {d: "41"}
  only: ["2"]
  logarithmic: true
  lines: [{label: nothing, measure: dws}]
- title: Some of them
  x: S
  only: ["2", "3"]
  at: {d: "1"}
  means: [harmonic, arithmetic]
  lines: [{label: plain, measure: dws}]
  paper: [{x: "3", line: printed, value: 245}, {x: "1", line: printed, value: 1}]
YAML
cat >like.yaml <<'YAML'
title: Another page of the same points
like: grid
figures:
- title: On top of each other
  x: S
  at: {d: "1"}
  plot: stacked
  unit: cycles
  lines: [{label: first, measure: none}, {label: second, measure: pws}]
YAML
# table N FILE: the N-th table, a row per line, cells divided by spaces.
table() {
  python3 - "$1" "$2" <<'PYTHON'
import html, re, sys
tables = re.findall(r"<table>(.*?)</table>", open(sys.argv[2], encoding="utf-8").read(), re.S)
for row in re.findall(r"<tr>(.*?)</tr>", tables[int(sys.argv[1]) - 1], re.S):
    print(" | ".join(html.unescape(c) for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)))
PYTHON
}
code 0 "$pwsvp" sweep grid.yaml --output full
says out "5 points"
code 0 "$pwsvp" report full
diff - <(table 1 full/report.html) <<'END' || fail "forms"
S | plain | ratio | speedup | reduction | to S = 1 | printed
1 | 123 | 0.8667 | 1.154 | 13.33 | 1 | –
2 | 190 | 0.8167 | 1.224 | 18.33 | 1.545 | –
3 | 261 | 0.85 | 1.176 | 15 | 2.122 | 245
geometric mean | 182.7 | 0.8442 | 1.185 | 15.42 | 1.485 | –
arithmetic mean | 191.3 | 0.8444 | 1.185 | 15.56 | 1.556 | –
END
diff - <(table 2 full/report.html) <<'END' || fail "series"
S | d = 1 | d = 41
3 | 60 | 100
1 | 60 | 100
2 | 60 | –
END
diff - <(table 4 full/report.html) <<'END' || fail "some of them"
S | plain | printed
3 | 261 | 245
2 | 190 | –
harmonic mean | 219.9 | –
arithmetic mean | 225.5 | –
END
grep -qF '<title>Known &lt;values&gt; &amp; &#34;quotes&#34;</title>' full/report.html || fail "the title is not escaped"
grep -qF 'd = 41, S = 2: left out' full/report.html || fail "what is left out is not said"
# A measure that graphs' reports can have, and no point's has.
sed 's/^measures: {/&wrong: S_B.7, /' grid.yaml >wrong.yaml
code 2 "$pwsvp" sweep wrong.yaml --output wrong
grep -q '^measure wrong: the report of d = .*, S = . has no S_B.7' \
  "$folder/out.txt" || fail "it is not said with the first point"
says err 'wrong.yaml: measures.wrong: no point'"'"'s report has S_B.7'
[ ! -e wrong/table.csv ] || fail "a table of it is there all the same"
# The short form has neither S = 3 nor what the paper says of it, and further exceptions.
code 0 "$pwsvp" sweep grid.yaml --small --output small
says out "2 points"
code 0 "$pwsvp" report small
grep -qF 'd = 41, S = 1: left out' small/report.html || fail "what the small form leaves out is not said"
if grep -qF 'd = 41, S = 1: left out' full/report.html; then fail "the full form leaves out what the small form does"; fi
diff - <(table 1 small/report.html | cut -d'|' -f1,2,7) <<'END' || fail "small form"
S | plain | printed
1 | 123 | –
2 | 190 | –
geometric mean | 152.9 | –
arithmetic mean | 156.5 | –
END
# The same page from the same table, whatever the user's settings are.
mkdir settings
echo 'xtick.labelsize: 30' >settings/matplotlibrc
code 0 env MPLCONFIGDIR="$folder/settings" PYTHONHASHSEED=1 "$pwsvp" report full --output again.html
cmp full/report.html again.html || fail "another page of the same sweep"
code 0 env MPLCONFIGDIR=/proc/nowhere HOME=/proc/nowhere "$pwsvp" report full --output again.html  # matplotlib warns
cmp full/report.html again.html || fail "another page where settings cannot be kept"
# The table alone, with figures of an experiment that has changed since.
sed 's/title: Series/title: Another title/' grid.yaml >changed.yaml
cp full/table.csv alone.csv
code 0 "$pwsvp" report alone.csv --experiment changed.yaml
diff <(table 1 full/report.html) <(table 1 alone.html) || fail "the table alone gives other values"
grep -q '<h2>Another title</h2>' alone.html || fail "the experiment that is given is not shown"
# An experiment that is like another one has its points, and figures of its own.
code 0 "$pwsvp" sweep grid.yaml --output all/grid
code 0 "$pwsvp" sweep like.yaml --output all/like
says out "5 points, 5 of them kept"
cmp all/grid/table.csv all/like/table.csv || fail "another table"
code 0 "$pwsvp" report all/like
diff - <(table 1 all/like/report.html) <<'END' || fail "values of stacked bars are not each one's own"
S | first | second
3 | 60 | 51
1 | 60 | 52
2 | 60 | 49
END
# Bars that stand on each other: the axis goes as far as their sum.
python3 - all/like/report.html <<'PYTHON' || fail "bars do not stand on each other"
import base64, re, sys
svg = base64.b64decode(re.search(r"base64,([^\"]*)", open(sys.argv[1], encoding="utf-8").read()).group(1)).decode()
sys.exit(0 if re.search(r">\s*100\s*<", svg) else 1)
PYTHON
# Its own keys come before those of the other, and places in messages are of the file in which they are.
sed 's/^like: grid/like: grid\nsmall: {axes: {d: ["41"]}}/' like.yaml >own.yaml
code 0 "$pwsvp" sweep own.yaml --small --output all/own-small
says out "2 points, 0 of them kept"
sed 's/S: \["1", "2"\]/S: ["9"]/' grid.yaml >wrong.yaml
sed 's/^like: grid/like: wrong/' like.yaml >of_wrong.yaml
code 2 "$pwsvp" sweep of_wrong.yaml
says err "wrong.yaml:9:"
says err "small.axes.S: '9' is no point of axis S"
for other in nowhere of_wrong ../grid experiment '[grid]'; do
  sed "s|^like: grid|like: $other|" like.yaml >bad.yaml
  code 2 "$pwsvp" sweep bad.yaml
  cat "$folder/err.txt" >>like.txt
done
for text in "nowhere.yaml" "'of_wrong' is like another one itself" "must be in the experiment's own folder" \
  "must have another name than experiment.yaml" "must be the name of an experiment, not a list"; do
  grep -qF "$text" like.txt || { cat like.txt; fail "no message: $text"; }
done
# Every cell of the page's last table is the table's, a number with four digits.
python3 - full/report.html full/table.csv <<'PYTHON' || fail "the page's points are not those of table.csv"
import csv, html, re, sys
page = re.findall(r"<table>(.*?)</table>", open(sys.argv[1], encoding="utf-8").read(), re.S)[-1]
page = [[html.unescape(c) for c in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)] for row in re.findall(r"<tr>(.*?)</tr>", page, re.S)[1:]]
header, *rows = csv.reader(open(sys.argv[2], newline=""))
n = header.index("status")
shown = lambda v: "–" if v == "" else f"{float(v):.4g}" if float(v) < 1000 else v
for row, cells in zip(rows, page, strict=True):
    assert cells == row[:n] + [shown(v) for v in row[n + 2:]] + [row[n]], (cells, row)
PYTHON
# Zeros count in the arithmetic mean, and the others are of what is above 0.
printf '%s\n' S,status,message,a 1,done,,0 2,done,,6 3,done,,0 >alone.csv
cat >zeros.yaml <<YAML
title: Zeros
command: graph
config: $root/configs/graphs/figure8.yaml
axes: [{name: S, key: S, values: [1, 2, 3]}]
measures: {a: bounds.none.E_kernel}
figures: [{title: Means, x: S, means: [geometric, harmonic, arithmetic], lines: [{label: a, measure: a}]}]
YAML
code 0 "$pwsvp" report alone.csv --experiment zeros.yaml
diff - <(table 1 alone.html | grep mean) <<'END' || fail "means of zeros"
geometric mean | 6
harmonic mean | 6
arithmetic mean | 2
END
# A table that is of something else, or damaged.
sed '1s/^d,/depth,/' full/table.csv >alone.csv
code 2 "$pwsvp" report alone.csv --experiment grid.yaml
says err "alone.csv: it has no column 'd', which grid.yaml names"
sed '3s/,[^,]*$//' full/table.csv >alone.csv
code 2 "$pwsvp" report alone.csv --experiment grid.yaml
says err "alone.csv: point 2 has 6 cells, and the header has 7"
: >alone.csv
code 2 "$pwsvp" report alone.csv --experiment grid.yaml
says err "alone.csv: no table of a sweep"
# What is not installed is named, and nothing is written.
rm full/report.html
code 2 env PATH=/nowhere "$pwsvp" report full
says err "Debian package python3"
mkdir without
for module in matplotlib jinja2 yaml; do
  echo "raise ModuleNotFoundError('no', name='$module')" >without/$module.py
  code 2 env PYTHONPATH="$folder/without" "$pwsvp" report full
  says err "Python's $module is not there, which pages are made with (Debian package python3-$module)"
  rm without/$module.py
done
[ ! -e full/report.html ] || fail "a page all the same"
