#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/site/build.sh [BUILD [OUTPUT]]: the documents as browsable HTML in OUTPUT (BUILD/site), with the reference that the tools in BUILD/bin
# (build) give of themselves and that of the headers which are installed (api/). Needs mkdocs, mkdocs-material, doxygen and doxygen-awesome-css;
# uses no network. The pages work from a server and from a disk, their search too. A link that leads nowhere is an error, and a header, class or function for users without a comment.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
output=${2:-$build/site}
for tool in pwsvp pwscc; do
  [ -x "$build/bin/$tool" ] || { echo "there is no $build/bin/$tool: build it first (platform/quickstart.sh)" >&2; exit 2; }
done
style=/usr/share/doxygen-awesome-css/doxygen-awesome.css
for needed in "mkdocs mkdocs mkdocs-material" "dot graphviz" "doxygen doxygen"; do
  command -v "${needed%% *}" >/dev/null || { echo "${needed%% *} is not installed: apt-get install ${needed#* }" >&2; exit 2; }
done
[ -f "$style" ] || { echo "there is no $style: apt-get install doxygen-awesome-css" >&2; exit 2; }
mkdir -p "$output"
output=$(cd "$output" && pwd)
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/docs/site/mkdocs.yml" "$root/docs/site/theme" "$work/"
mkdir "$work/pages"
cp -r "$root"/docs/*.md "$root"/docs/layers.txt "$root"/docs/results "$root"/docs/tutorial "$root"/docs/examples "$root"/docs/pictures "$work/pages/"
mv "$work/pages/results/README.md" "$work/pages/results/index.md"
sed 's|](docs/|](|g' "$root/README.md" >"$work/pages/index.md"
cp "$root"/{LICENSE,CHANGELOG.md} "$work/pages/"
sed 's|](docs/|](|g' "$root/CONTRIBUTING.md" >"$work/pages/CONTRIBUTING.md"
sed -i 's#](../README\.md#](index.md#' "$work"/pages/*.md
sed -i 's|](results/README\.md|](results/index.md|' "$work"/pages/*.md
# Each table of the results has a page.
PWSVP=$build/bin/pwsvp "$root/platform/results.sh" --output "$work/pages/results" >&2
sed -i 's|\[\([^]]*\)\]([^)]*\.csv)|[\1](\1.html)|g' "$work/pages/results/index.md"
# The page of the architecture has docs/layers.txt as a drawing.
python3 "$root/docs/site/layers_drawing.py" "$root/docs/layers.txt" "$work/pages/layers.svg"
drawing='![The folders, and which of them each includes](layers.svg)'
sed -i "s|^[A-Z][a-z]* choices are worth knowing:|$drawing\n\n&|" "$work/pages/architecture.md"
grep -qF "$drawing" "$work/pages/architecture.md" || { echo "architecture.md has no place for the drawing" >&2; exit 1; }
python3 "$root/docs/site/reference.py" "$build/bin/pwsvp" "$build/bin/pwscc" "$work/pages/reference"
# The headers, with the paths and comments that users see.
cmake -D SOURCE="$root" -D OUTPUT="$work/include" -D LIST="$build/public/headers.txt" -P "$root/cmake/public_headers.cmake"
python3 "$root/docs/site/api/comments.py" "$work/include" "$work/headers"
cp "$root"/docs/site/api/{main.md,namespaces.dox} "$work/"
cd "$work"
INCLUDE=$work/include STYLE=$style doxygen "$root/docs/site/api/Doxyfile" >&2
python3 "$root/docs/site/api/undocumented.py" warnings.txt >&2 || exit 1
mv html pages/api
python3 "$root/docs/site/api/headers_page.py" headers tags.xml pages/reference/headers.md
python3 "$root/docs/site/table_cells.py" pages
if ! PYTHONWARNINGS=ignore mkdocs build --strict --site-dir "$output" >said 2>&1; then
  grep -v INFO said >&2
  exit 1
fi
# The index as a script, for pages that are opened from a disk.
{ printf 'var __search = {index: Promise.resolve('; cat "$output/search/search_index.json"; printf ')};\n'; } >"$output/search/search_index.js"
echo "$output/index.html"
