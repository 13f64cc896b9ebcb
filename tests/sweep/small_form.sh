#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# small_form.sh PWSVP EXPERIMENT: its small form runs, no bound is below what was observed, and the page needs nothing else.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 experiment=$2

code 0 "$pwsvp" sweep "$experiment" --small --jobs 2 --output "$folder/sweep"
cat "$folder/out.txt"
says out " 0 failed"
points=$(grep -c '^\[' "$folder/out.txt")
left_out=$(grep -c ',left out,' "$folder/sweep/table.csv" || true)  # in the table, but they do not run
rows=$(($(wc -l <"$folder/sweep/table.csv") - 1 - left_out))
[ "$points" -eq "$rows" ] || fail "$points points, $rows rows"

if ! grep -q '^command: exec' "$experiment"; then  # those compile all their programs again to know
  cp "$folder/sweep/table.csv" "$folder/first.csv"
  code 0 "$pwsvp" sweep "$experiment" --small --output "$folder/sweep"
  says out "$points points, $points of them kept from before, 0 failed"
  cmp "$folder/first.csv" "$folder/sweep/table.csv" || fail "kept points give another table"
fi

code 0 "$pwsvp" report "$folder/sweep"
page=$folder/sweep/report.html
figures=$(sed -n '/^figures:/,$p' "$experiment" | grep -c '^- title:' || true)
images=$(grep -c '<img [^>]*src="data:image/svg+xml;base64,' "$page" || true)
empty=$(grep -c 'No point of this sweep has a value for this figure' "$page" || true)  # of points that the small form leaves out
[ "$figures" -eq $((images + empty)) ] && [ "$images" -ge 1 ] || fail "$images images and $empty empty ones for $figures figures"
if grep -Eq '(src|href)="(https?:)?//' "$page"; then fail "the page refers to something else"; fi
# What a browser would do with the drawings: they are well-formed, and have a shape for every value.
python3 - "$page" <<'PYTHON'
import base64, re, sys
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

text = open(sys.argv[1], encoding="utf-8").read()
for data in re.findall(r'base64,([^"]+)"', text):
    drawing = xml.fromstring(base64.b64decode(data))
    shapes = sum(1 for e in drawing.iter() if e.tag.endswith(("path", "polygon", "rect")))
    assert drawing.get("viewBox") and shapes > 3, "an empty figure"

class nesting(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> does not close anything, line {self.getpos()[0]}"

page = nesting()
page.feed(text)
page.close()
assert not page.open, f"not closed: {page.open}"
PYTHON
