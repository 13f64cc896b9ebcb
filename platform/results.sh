#!/usr/bin/env bash
# The pages of docs/results: runs experiments of configs/experiments and makes a page of each.
# Usage: platform/results.sh [--small] [--output FOLDER] [NAME...]   (all of them, about half an hour, without NAME)
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

small=() folder=docs/results suffix=''
while [ $# -gt 0 ]; do
  case $1 in
    --small) small=(--small) suffix=-small ;;
    --output) folder=${2:?--output needs a folder}; shift ;;
    -*) echo "results.sh: unknown option $1" >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for page in docs/results/*.html; do names+=("$(basename "$page" .html)"); done
fi
for name in "${names[@]}"; do
  if [ ! -f "configs/experiments/$name.yaml" ]; then
    echo "results.sh: no experiment $name: configs/experiments/$name.yaml" >&2
    exit 2
  fi
done

if [ ! -x build/bin/pwsvp ]; then
  install_missing "${packages[@]}"
  build release pwsvp pwscc amdhip64
fi
mkdir -p "$folder"
for name in "${names[@]}"; do
  build/bin/pwsvp sweep "configs/experiments/$name.yaml" "${small[@]}"
  build/bin/pwsvp report "out/$name$suffix" --output "$folder/$name.html"
done
