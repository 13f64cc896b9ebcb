#!/usr/bin/env bash
# snakemake_test.sh PWSVP ROOT: the tutorial's Snakefile gives the table that the sweep gives. Exit code 77: no snakemake.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
command -v snakemake >/dev/null || { echo "skipped: snakemake is not installed"; exit 77; }
cd "$folder"
export XDG_CACHE_HOME=$folder/cache
cat >grid.yaml <<YAML
title: Points
command: graph
config: $root/configs/graphs/figure8.yaml
axes: [{name: S, key: S, values: [0, 1, 2]}]
measures: {bound: bounds.pws.E_kernel}
YAML
make() {
  snakemake --cores 2 --snakefile "$root/docs/tutorial/Snakefile" --config pwsvp="$pwsvp" experiment=grid.yaml folder=made "$@"
}
code 0 "$pwsvp" sweep grid.yaml --output whole
code 0 make
cmp made/table.csv whole/table.csv || fail "another table"
code 0 make
says err "Nothing to be done"
# A point and the table are gone: the point runs again, alone.
rm -r made/points/2 made/table.csv
code 0 make
says err "Finished job"
[ "$(grep -c '^rule point:' err.txt)" -eq 1 ] || fail "other points ran again"
cmp made/table.csv whole/table.csv || fail "another table afterwards"
echo PASS
