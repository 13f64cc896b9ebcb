#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_site.sh BUILD: the documents as a site: it builds, without a link that leads nowhere, and has what it is said to have.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
mkdir "$site/made_here"
TMPDIR=$site/made_here "$root/docs/site/build.sh" "$build" "$site/html"
! grep -rlE 'made_?_here' "$site/html" || fail "these pages name the folder that they were made in"
# Every document is a page, and every page of the menu is there.
for page in "$root"/docs/*.md; do
  [ -f "$site/html/$(basename "$page" .md).html" ] || fail "$(basename "$page") is no page"
done
grep -q "predictable wavefront splitting" "$site/html/index.html" || fail "the start page"
# Each of the papers' experiments is a page, with its figures.
while read -r experiment; do
  name=$(basename "$experiment" .yaml)
  grep -q "href=\"$name.html\"" "$site/html/results/index.html" || fail "results/index.html does not lead to $name.html"
  grep -q '<img [^>]*src="data:image/svg+xml;base64,' "$site/html/results/$name.html" || fail "results/$name.html has no figure"
done < <(grep -l '^title:' "$root"/configs/experiments/*.yaml)
# The reference has every key and every command of the tools as they are now.
"$build/bin/pwsvp" params --json >"$site/params.json"
"$build/bin/pwsvp" reference --json >"$site/reference.json"
python3 - "$site" <<'PYTHON' || fail "the reference"
import json, sys
site = sys.argv[1]
missing = []
for kind, about in json.load(open(f"{site}/params.json")).items():
    page = open(f"{site}/html/reference/{kind}.html").read()
    missing += [f"{kind}: {k['key']}" for k in about["keys"] if not k["key"].startswith("machine.") and f"<code>{k['key']}</code>" not in page]
commands = open(f"{site}/html/reference/commands.html").read()
missing += [c for c in ("pwsvp run", "pwsvp exec", "pwsvp wcet", "pwsvp sweep", "pwsvp params", "pwscc", "--schema") if c not in commands]
for part, about in json.load(open(f"{site}/reference.json")).items():
    page = {"functions": "reference/functions", "signals": "reference/signals", "exit-codes": "reference/commands", "registers": "registers"}.get(part, "reference/reports")
    page = open(f"{site}/html/{page}.html").read()
    for e in about["entries"]:
        name = next(iter(e.values()))
        if part == "registers":
            name = name.split(".")[-1]  # fields and values stand in their register's row
        if f"<code>{name}</code>" not in page:
            missing.append(f"{part}: {e}")
print(missing)
sys.exit(1 if missing else 0)
PYTHON
# The drawing of the architecture has the folders of layers.txt, and its arrows lead where they may include, and everywhere there.
grep -q 'layers.svg' "$site/html/architecture.html" || fail "the architecture's page has no drawing"
python3 - "$root" "$site/html/layers.svg" <<'PYTHON' || fail "the drawing of the architecture"
import re, sys, xml.etree.ElementTree as xml
root, drawing = sys.argv[1:]
allowed, folder = {}, None
for line in open(f"{root}/docs/layers.txt"):
    if line.strip() and line[0] not in "# ":
        folder = line.split(":")[0]
        allowed[folder] = set()
    if line.strip() and line[0] != "#":
        allowed[folder].update(line.split(":")[-1].split())
boxes, arrows = set(), {f: set() for f in allowed}
svg = "{http://www.w3.org/2000/svg}"
for g in xml.parse(drawing).iter(svg + "g"):
    title = g.find(svg + "title")
    if g.get("class") == "node":
        boxes.add(title.text)
    elif g.get("class") == "edge":
        a, b = title.text.split("->")
        assert b in allowed[a], f"{a} does not include {b}"
        arrows[a].add(b)
assert boxes == set(allowed), boxes ^ set(allowed)
def far(graph, start):
    seen, left = set(), list(graph[start])
    while left:
        f = left.pop()
        if f not in seen:
            seen.add(f)
            left += graph[f]
    return seen
for f in allowed:
    assert far(arrows, f) == far(allowed, f), f"{f}: {far(allowed, f) ^ far(arrows, f)}"
PYTHON
# Every installed header is in the reference, with what it says of itself, and what users do with the machine in the words of the headers.
while IFS= read -r header; do
  case $header in *.def) continue ;; esac
  grep -qF ">$(basename "$header")</a>" "$site/html/reference/headers.html" || fail "$header is not among the headers"
done <"$build/public/headers.txt"
launch=$site/html/api/classpws_1_1platform_1_1device__runtime.html
for words in "&lt;pwsvp/platform/machine/device_runtime.h&gt;" "Places all code objects of a program" "Runs a prepared launch to its end"; do
  grep -qF "$words" "$launch" || fail "the reference of device_runtime does not say: $words"
done
grep -q dws_table "$site/html/api/namespacepws_1_1models.html" || fail "the reference does not have the schemes, which stand in a .def file"
grep -rqs device_runtime "$site"/html/api/search/classes_*.js || fail "the reference cannot be searched for device_runtime"
grep -q 'device_runtime' "$site/html/search/search_index.json" || fail "the site cannot be searched for device_runtime"
python3 "$root/tests/readme/check_links.py" "$root" "$site/html" || fail "links"
# It works from a disk: no link leads to a folder, the index is there as a script, and each page has what makes use of it.
! grep -rnE 'href="([^"#:]*/|\.\.?)["#]' "$site/html" --include=*.html | head -3 | grep . || fail "links that lead to folders"
python3 - "$site/html" <<'PYTHON' || fail "the site from a disk"
import html.parser, json, pathlib, sys
site = pathlib.Path(sys.argv[1])
script = (site / "search/search_index.js").read_text()
begin, end = "var __search = {index: Promise.resolve(", ")};\n"
assert script.startswith(begin) and script.endswith(end), script[:80]
assert json.loads(script[len(begin):-len(end)]) == json.load(open(site / "search/search_index.json"))
class page(html.parser.HTMLParser):
    cells, wrong, scripts = 0, (), ()
    def handle_starttag(self, tag, attributes):
        self.cells += tag == "td"
        if tag == "script":
            self.scripts += (dict(attributes).get("src", ""),)
    def handle_endtag(self, tag):
        self.cells -= tag == "td"
    def handle_data(self, data):
        if self.cells and "\\" in data:
            self.wrong += (data,)
for file in site.rglob("*.html"):
    if "api" in file.parts or "results" in file.parts and file.name != "index.html":
        continue
    p = page()
    p.feed(file.read_text())
    assert not p.wrong, f"{file}: a backslash in a table: {p.wrong}"
    own = [s for s in p.scripts if s.endswith("assets/javascripts/from_disk.js")]
    assert file.name == "404.html" or len(own) == 1 and (file.parent / own[0]).is_file(), f"{file}: {p.scripts}"
PYTHON
# Nothing is loaded from elsewhere.
! grep -rnoE '(src|href)="https?://[^"]*\.(js|css|woff2?)"' "$site/html" --include=*.html | grep -v "results/" | head -3 | grep . || fail "something is loaded from a network"
# What is wrong is found: links, and headers without comments.
mkdir "$site/copy"
while IFS= read -r header; do
  mkdir -p "$site/copy/$(dirname "$header")"
  cp "$root/$header" "$site/copy/$header"
done <"$build/public/headers.txt"
cp -r "$root"/{docs,cmake,README.md,CHANGELOG.md,CONTRIBUTING.md,LICENSE} "$site/copy/"
# One of the results is enough here.
mkdir -p "$site/copy/configs/experiments"
cp "$root/configs/experiments/table2.yaml" "$site/copy/configs/experiments/"
cp "$root"/platform/{results,setup}.sh "$site/copy/platform/"
# refused WORDS: the site is not built, and WORDS say why.
refused() {
  ! "$site/copy/docs/site/build.sh" "$build" "$site/other" >"$site/said" 2>&1 || fail "built in spite of: $1"
  grep -qF "$1" "$site/said" || { cat "$site/said"; fail "it does not say: $1"; }
}
echo "[nowhere](no_such_page.md)" >>"$site/copy/docs/vcd.md"
refused no_such_page.md
runtime=$site/copy/platform/machine/device_runtime.h
sed -i 's|^class device_runtime .*{$|struct forgotten {\n  int forget(int what);\n};\n\n&|' "$runtime"
refused "platform/machine/device_runtime.h:$(grep -n 'struct forgotten' "$runtime" | cut -d: -f1): Compound pws::platform::forgotten is not documented"
grep -q 'Member forget(int what) (function)' "$site/said" || fail "a function without a comment is not found"
sed -i 2,3d "$site/copy/platform/machine/device_heap.h"
refused "pwsvp/platform/machine/device_heap.h:1: a header begins with a comment"
mkdir "$site/links"
printf '<a href="other.html#place">there</a> <a href="nowhere.html">there</a>' >"$site/links/index.html"
printf '<p id="other">here</p>' >"$site/links/other.html"
echo '[gone](gone.md) is in `models/gone.h`.' >>"$site/copy/docs/vcd.md"
! python3 "$root/tests/readme/check_links.py" "$site/copy" "$site/links" >"$site/said" || fail "broken links are not found"
for words in "docs/vcd.md: gone.md" "docs/vcd.md: there is no models/gone.h" "index.html: nowhere.html" "index.html: other.html#place: the page has no such place"; do
  grep -qF "$words" "$site/said" || fail "broken links: it does not say $words"
done
echo PASS
