#!/usr/bin/env bash
# docs/site/build.sh [BUILD [OUTPUT]]: the documents as browsable HTML in OUTPUT (BUILD/site), with the reference that the tools in BUILD/bin
# (build) give of themselves. Needs mkdocs and mkdocs-material; uses no network. A link that leads nowhere is an error.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
output=${2:-$build/site}
for tool in pwsvp pwscc; do
  [ -x "$build/bin/$tool" ] || { echo "there is no $build/bin/$tool: build it first (platform/quickstart.sh)" >&2; exit 2; }
done
command -v mkdocs >/dev/null || { echo "mkdocs is not installed: apt-get install mkdocs mkdocs-material" >&2; exit 2; }
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root/docs/site/mkdocs.yml" "$work/"
mkdir "$work/pages"
cp -r "$root"/docs/*.md "$root"/docs/layers.txt "$root"/docs/results "$root"/docs/tutorial "$root"/docs/examples "$work/pages/"
mv "$work/pages/results/README.md" "$work/pages/results/index.md"
sed 's|](docs/|](|g' "$root/README.md" >"$work/pages/index.md"
# The page of the architecture has docs/layers.txt as a drawing.
command -v dot >/dev/null || { echo "dot is not installed: apt-get install graphviz" >&2; exit 2; }
python3 "$root/docs/site/layers_drawing.py" "$root/docs/layers.txt" "$work/pages/layers.svg"
drawing='![The folders, and which of them each includes](layers.svg)'
sed -i "s|^Three choices are worth knowing:|$drawing\n\n&|" "$work/pages/architecture.md"
grep -qF "$drawing" "$work/pages/architecture.md" || { echo "architecture.md has no place for the drawing" >&2; exit 1; }
python3 "$root/docs/site/reference.py" "$build/bin/pwsvp" "$build/bin/pwscc" "$work/pages/reference"
cd "$work"
if ! PYTHONWARNINGS=ignore mkdocs build --strict --site-dir "$output" >said 2>&1; then
  grep -v INFO said >&2
  exit 1
fi
echo "$output/index.html"
