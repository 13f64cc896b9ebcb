# SPDX-License-Identifier: Apache-2.0
"""check_links.py ROOT SITE: every link within the project's Markdown files leads to a file, every path that they name is there (`models/isa/*.cpp`),
and every link within the HTML pages below SITE leads to a file and, with #NAME, to an element of it. Prints those that do not; exit code 1 if there
are any."""

import glob
import html
import os
import re
import sys
from urllib.parse import unquote

FOLDERS = "base|cmake|configs|docs|models|platform|python|rtl|sw|tests"
ELSEWHERE = re.compile(r"[a-z]+:|//", re.IGNORECASE)


def markdown_files(root):
    yield from (os.path.join(root, f) for f in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    for folder, _, files in os.walk(os.path.join(root, "docs")):
        yield from (os.path.join(folder, f) for f in files if f.endswith(".md"))


def of_markdown(root):
    for file in markdown_files(root):
        text = re.sub(r"^```.*?^```$", "", open(file).read(), flags=re.MULTILINE | re.DOTALL)
        for path in re.findall(rf"`((?:{FOLDERS})/[^`\s]*)", text):
            if not glob.glob(os.path.join(root, path)):
                yield f"{os.path.relpath(file, root)}: there is no {path}"
        text = re.sub(r"`[^`\n]*`", "", text)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            # These are pages that the site alone has.
            if ELSEWHERE.match(target) or target.startswith(("#", "reference/", "../reference/", "docs/reference/")):
                continue
            if not os.path.exists(os.path.join(os.path.dirname(file), target.split("#")[0])):
                yield f"{os.path.relpath(file, root)}: {target}"


class pages:
    """What is in a site's pages, each read once."""

    def __init__(self, site):
        self.site, self.known = site, {}

    def of(self, path):
        """(links, names) of a page; no names where a script makes the page."""
        if path not in self.known:
            text = re.sub(r"<script.*?</script>|<!--.*?-->", "", open(path, errors="replace").read(), flags=re.DOTALL)
            links = {html.unescape(link) for link in re.findall(r'<[^>]*?\s(?:href|src)="([^"]*)"', text)}
            self.known[path] = links, set(re.findall(r'\s(?:id|name)="([^"]*)"', text))
        return self.known[path]

    def all(self):
        for folder, _, files in os.walk(self.site):
            yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(".html"))

    def broken(self):
        for path in self.all():
            for link in self.of(path)[0]:
                # Doxygen names a list of classes even where all of them are private.
                if not link or ELSEWHERE.match(link) or link == "#nested-classes":
                    continue
                target, _, name = link.partition("#")
                target = unquote(target.split("?")[0])
                if target.startswith("/"):
                    continue  # of the page that a server shows for what is missing
                found = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                if os.path.isdir(found):
                    found = os.path.join(found, "index.html")
                if not os.path.isfile(found):
                    yield f"{os.path.relpath(path, self.site)}: {link}"
                elif name and found.endswith(".html") and html.unescape(unquote(name)) not in self.of(found)[1]:
                    yield f"{os.path.relpath(path, self.site)}: {link}: the page has no such place"


root, site = sys.argv[1:]
site_pages = pages(site)
broken = sorted([*of_markdown(root), *site_pages.broken()])
print(*broken, f"{len(site_pages.known)} pages, {sum(len(links) for links, _ in site_pages.known.values())} links, {len(broken)} broken", sep="\n")
sys.exit(1 if broken or not site_pages.known else 0)
