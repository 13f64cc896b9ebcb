# SPDX-License-Identifier: Apache-2.0
"""headers_page.py HEADERS TAGS OUTPUT.md: a page with every header in HEADERS (comments.py), what it has, and its classes, which lead into
Doxygen's pages by what its tag file TAGS says. The site's search finds classes by this page."""

import os
import re
import sys
import xml.etree.ElementTree as xml


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from table_cells import cell  # noqa: E402


def first_sentence(path):
    """The first sentence of the file's comment, which begins behind its \\file."""
    text = []
    for line in open(path).read().split("\n")[1:]:
        if line.strip() in ("///", "") or not line.startswith("///"):
            break
        text.append(re.sub(r"\\(.)", r"\1", line[3:].strip()))
    return re.split(r"(?<=\.) (?=[A-Z])", " ".join(text))[0]


headers, tags, output = sys.argv[1:]
compounds = xml.parse(tags).getroot().findall("compound")
pages = {c.findtext("name"): c.findtext("filename") for c in compounds if c.get("kind") in ("class", "struct")}
folders = {}
for c in compounds:
    if c.get("kind") == "file" and c.findtext("name").endswith(".h"):
        folders.setdefault(os.path.relpath(c.findtext("path"), os.path.abspath(headers)), []).append(c)
with open(output, "w") as out:
    out.write("# Headers\n\nWhat `libpwsvp-dev` installs. Every class, function and member: [the reference](../api/index.html). How they are used: "
              "[In your SystemC model](../embedding.md).\n")
    for folder in sorted(folders):
        out.write(f"\n## {folder}\n\n| header | what it has | classes |\n|---|---|---|\n")
        for c in sorted(folders[folder], key=lambda c: c.findtext("name")):
            name = c.findtext("name")
            classes = [n.text for n in c.findall("class") if n.text in pages and "<" not in n.text]
            links = ", ".join(f"[{cell(n.split('::')[-1])}](../api/{pages[n]})" for n in classes)
            about = cell(first_sentence(os.path.join(headers, folder, name)))
            out.write(f"| [{cell(name)}](../api/{c.findtext('filename')}) | {about} | {links} |\n")
