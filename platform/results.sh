#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages of the papers' experiments, in out/results, from the tables in docs/results. --run runs the experiments first, about half an
# hour for all, and keeps their tables; --small runs their small forms and keeps nothing.
# Usage: platform/results.sh [--run | --small] [--output FOLDER] [NAME...]   (of configs/experiments; all of them without NAME)
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

pwsvp=${PWSVP:-build/bin/pwsvp} form='' folder=out/results
while [ $# -gt 0 ]; do
  case $1 in
    --run | --small) form=$1 ;;
    --output) folder=${2:?--output needs a folder}; shift ;;
    -*) echo "results.sh: unknown option $1" >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  while read -r file; do names+=("$(basename "$file" .yaml)"); done < <(grep -l '^title:' configs/experiments/*.yaml)
fi
for name in "${names[@]}"; do
  if [ ! -f "configs/experiments/$name.yaml" ]; then
    echo "results.sh: no experiment $name: configs/experiments/$name.yaml" >&2
    exit 2
  fi
done

install_missing "${report_packages[@]}"
if [ ! -x "$pwsvp" ]; then
  install_missing "${packages[@]}"
  build release pwsvp pwscc amdhip64
fi
for name in "${names[@]}"; do
  experiment=configs/experiments/$name.yaml table=docs/results/$name.csv
  like=docs/results/$(sed -n 's/^like: *//p' "$experiment").csv
  case $form in
    --small)
      "$pwsvp" sweep "$experiment" --small
      table=out/$name-small
      ;;
    --run)
      "$pwsvp" sweep "$experiment"
      platform/kept_table.py "out/$name/table.csv" >"out/$name/kept.csv"
      # Experiments that are like another one and have its table share it.
      if cmp -s "out/$name/kept.csv" "$like"; then rm -f "$table"; else cp "out/$name/kept.csv" "$table"; fi
      ;;
  esac
  if [ ! -e "$table" ]; then table=$like; fi
  "$pwsvp" report "$table" --experiment "$experiment" --output "$folder/$name.html"
done
