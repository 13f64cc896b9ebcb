#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# use_examples.sh PREFIX: builds and runs the simulations of docs/examples from the installation in PREFIX, with nothing else of the project,
# and compares the page about them with their code and with what they print.
# shellcheck source=../common.sh # which is copied beside it
here=$(dirname "${BASH_SOURCE[0]}")
if [ -f "$here/common.sh" ]; then source "$here/common.sh"; else source "$here/../common.sh"; fi
prefix=$1 share=$1/share/pwsvp
libraries=$(dirname "$(dirname "$(find "$prefix/lib" -name pwsvp.pc)")")
cp -r "$share/docs/examples" "$folder/examples"
cd "$folder/examples"
# run NAME COMMAND...: what it prints is kept.
run() {
  local name=$1
  shift
  code 0 "$@"
  cp "$folder/out.txt" "$folder/$name.said"
}

echo "== runtime"
code 0 cmake -S runtime -B runtime/build -DCMAKE_PREFIX_PATH="$prefix"
code 0 cmake --build runtime/build
run runtime runtime/build/embedded_gpu runtime/build/scale.hsaco
says out "scale: 1000 elements as expected, "
says out " cycles on 4 compute units"
# 1000 floats, read and written, in lines of 64 bytes.
says out " wavefront instructions, 126 lines of vector memory, "
code 0 runtime/build/embedded_gpu runtime/build/scale.hsaco "$share/configs/gpu/predictable.yaml"
code 2 runtime/build/embedded_gpu no_such_file
says err no_such_file

echo "== board"
code 0 cmake -S board -B board/build -DCMAKE_PREFIX_PATH="$prefix"
code 0 cmake --build board/build
run board board/build/board board/build/scale.hsaco
says out "scale: 1000 elements as expected, "
says out "lane 0: read of 4 bytes at 0x40 is outside every allocation"
says out "after the reset: 1000 elements as expected, 101 kernels"
code 1 board/build/board no_such_file
says err no_such_file
code 2 board/build/board

echo "== two_gpus, by pkg-config"
ln -s "$libraries" "$folder/lib"  # by a path without spaces, which make does not take
ln -s "$prefix/include" "$folder/include"
ln -s "$prefix/bin" "$folder/bin"
code 0 env PKG_CONFIG_PATH="$folder/lib/pkgconfig" make -C two_gpus
run two_gpus two_gpus/two_gpus two_gpus/square_blocks.hsaco
says out "16384 elements and their sum, 1297440768, as expected; of 64 blocks the first GPU did "
first=$(cat "$folder/out.txt")
code 0 two_gpus/two_gpus two_gpus/square_blocks.hsaco
[ "$first" = "$(cat "$folder/out.txt")" ] || fail "two runs differ"

echo "== coprocessor"
code 0 cmake -S coprocessor -B coprocessor/build -DCMAKE_PREFIX_PATH="$prefix"
code 0 cmake --build coprocessor/build
run coprocessor coprocessor/build/coprocessor coprocessor/build/kernels.hsaco
says out "1000 elements and their sum, 3496500, as expected"

echo "== the page about them"
python3 - "$prefix/share/doc/pwsvp/docs/embedding.md" "$folder" <<'PYTHON' || fail "docs/embedding.md"
import pathlib, re, sys
page, folder = sys.argv[1], pathlib.Path(sys.argv[2])
blocks = re.findall(r"^```(\S*)\n(.*?)^```$", open(page).read(), re.MULTILINE | re.DOTALL)
examples = folder / "examples"
sources = {"c++": [*examples.glob("*/*.cpp"), *examples.glob("*/*.h")], "cmake": examples.glob("*/CMakeLists.txt"), "": folder.glob("*.said")}
texts = {kind: [f.read_text() for f in files] for kind, files in sources.items()}
wrong = [text for kind, text in blocks if not any(text in one for one in texts[kind])]
print(*wrong, f"{len(blocks)} blocks", sep="\n")
sys.exit(1 if wrong or {kind for kind, _ in blocks} != set(sources) else 0)
PYTHON
