# SPDX-License-Identifier: Apache-2.0
"""layers_drawing.py LAYERS OUTPUT.svg: docs/layers.txt as a drawing, by Graphviz. A box per folder, in the groups of the file's
comments; an arrow to each folder that it may include and that no other arrow leads to already."""

import re
import subprocess
import sys


def read(path):
    """Groups in the file's order, as (title, [folder]), and what each folder may include."""
    groups, allowed, comment, folder = [], {}, [], None
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("#"):
            comment.append(line.lstrip("# "))
        elif not line:
            folder = None
        elif line.startswith(" "):
            allowed[folder] += line.split()
        else:
            folder, _, rest = line.partition(":")
            if comment:
                groups.append((" ".join(comment[-1:]).split(". ")[0].rstrip("."), []))
                comment = []
            groups[-1][1].append(folder)
            allowed[folder] = rest.split()
    return groups, allowed


def reachable(allowed, start):
    seen, left = set(), list(allowed[start])
    while left:
        folder = left.pop()
        if folder not in seen:
            seen.add(folder)
            left += allowed[folder]
    return seen


def arrows(allowed):
    """Without those that a longer way replaces."""
    far = {f: reachable(allowed, f) for f in allowed}
    return [(f, t) for f in allowed for t in allowed[f] if not any(t in far[other] for other in allowed[f] if other != t)]


def dot(groups, allowed):
    lines = ["digraph layers {", "rankdir=BT; ranksep=0.9; nodesep=0.15; compound=true; fontname=sans;",
             'node [shape=box, style="filled,rounded", fillcolor="#e8eaf6", color="#3949ab", fontname=sans, fontsize=11, height=0.3];',
             'edge [color="#7986cb", arrowsize=0.6];']
    for k, (title, folders) in enumerate(groups):
        lines.append(f'subgraph cluster_{k} {{ label="{title}"; labeljust=l; color="#9fa8da"; style=rounded; fontsize=13;')
        lines += [f'"{f}";' for f in folders]
        lines.append("}")
    lines += [f'"{f}" -> "{t}";' for f, t in arrows(allowed)]
    return "\n".join(lines + ["}", ""])


if __name__ == "__main__":
    layers, output = sys.argv[1:]
    drawn = subprocess.run(["dot", "-Tsvg"], input=dot(*read(layers)), check=True, capture_output=True, text=True).stdout
    with open(output, "w") as f:
        f.write(re.sub(r"<!--.*?-->\n?", "", drawn, flags=re.DOTALL))
