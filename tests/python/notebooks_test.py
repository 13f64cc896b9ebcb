# SPDX-License-Identifier: Apache-2.0
"""The notebooks of docs/examples/python: their cells print what is stored in them, and the cycles and bounds in it are
those that pwsvp finds. What is stored is of the documents' compiler, and compared with it alone. With --write what they
print is stored anew."""
import ast
import contextlib
import io
import json
import os
import pathlib
import sys
import unittest

from support import command

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from llvm import is_of_documents  # noqa: E402

FOLDER = pathlib.Path("docs/examples/python").resolve()


def execute(source, names):
    """What a cell prints, and behind it its last expression."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
        if value is not None:
            print(repr(value))
    return out.getvalue()


def cells_of(name):
    with open(FOLDER / name, encoding="utf-8") as file:
        book = json.load(file)
    return book, [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def run_all(cells):
    """Names that the notebook leaves, and what each cell printed. In its own folder, as Jupyter runs it."""
    here = os.getcwd()
    os.chdir(FOLDER)
    try:
        names = {"__name__": "__main__"}
        return names, [execute("".join(cell["source"]), names) for cell in cells]
    finally:
        os.chdir(here)


def stored(cell):
    return "".join("".join(o["text"]) for o in cell["outputs"])


def write(name):
    book, cells = cells_of(name)
    for count, (cell, text) in enumerate(zip(cells, run_all(cells)[1]), 1):
        cell["execution_count"] = count
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(True)}] if text else []
    with open(FOLDER / name, "w", encoding="utf-8") as file:
        json.dump(book, file, indent=1)
        file.write("\n")


class notebooks(unittest.TestCase):
    def check(self, name):
        _, cells = cells_of(name)
        names, printed = run_all(cells)
        if is_of_documents():
            for cell, text in zip(cells, printed):
                self.assertEqual(stored(cell), text)
        return names

    def test_machine(self):
        names = self.check("machine.ipynb")
        self.assertEqual(sorted(names["cycles"]), ["dws", "none", "pws"])
        for scheme, cycles in names["cycles"].items():
            split = "none" if scheme == "none" else "all"
            _, report = command("run", "configs/runs/fully_divergent.yaml", "--set", f"machine.divergence={scheme}",
                                "--set", "machine.spsimd_per_simd=1", "--set", f"program.split={split}")
            self.assertEqual(cycles, report["cycles"]["value"], scheme)

    def test_sweep(self):
        rows = self.check("sweep.ipynb")["rows"]
        self.assertEqual(len(rows), 9)
        for scheme, rounds, bound, observed in rows[::4]:
            _, report = command(
                "wcet", "configs/runs/fully_divergent.yaml", "--observe", "--set", "machine=configs/gpu/predictable.yaml",
                "--set", f"machine.divergence={scheme}", "--set", "machine.spsimd_per_simd=1", "--set",
                "program.split=" + ("none" if scheme == "none" else "all"), "--set", f"arguments.rounds.value={rounds}",
                "--set", f"wcet.loops=[{{line: 26, bound: {rounds}}}, {{line: 36, bound: {rounds}}}]",
                "--set", "expect={}")
            self.assertEqual(bound, report["bounds"][scheme]["E_kernel"]["value"])
            self.assertEqual(observed, report["observed"]["cycles"]["value"])
            self.assertLessEqual(observed, bound)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for book in sorted(os.listdir(FOLDER)):
            if book.endswith(".ipynb"):
                write(book)
    else:
        unittest.main()
