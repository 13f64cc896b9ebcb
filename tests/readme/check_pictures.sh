#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_pictures.sh BUILD: the documents' pictures are those that the runs give now.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# Debian's: matplotlib may be missing from another one that comes first.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" "$root/docs/site/pictures/draw.py" "$1/bin/pwsvp" "$made"
diff -rq "$made" "$root/docs/pictures" || { echo "FAILED: after a change of cycles, python3 docs/site/pictures/draw.py build/bin/pwsvp docs/pictures"; exit 1; }
for picture in "$root"/docs/pictures/*; do
  [ "$(stat -c %s "$picture")" -lt 200000 ] || { echo "FAILED: $picture is too large"; exit 1; }
done
echo PASS
