"""The pages of the manual and what is in them: blocks, headings, links."""
import dataclasses
import pathlib
import re
import shlex

# What the program's own pages say is checked; what came from others, and tables that are made by a program, is not.
OTHERS = ("README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")
RUN = re.compile(r"<!-- run(?P<words>[^:]*): (?P<text>.*?)-->", re.S)


@dataclasses.dataclass
class Block:
    language: str
    words: dict
    text: str
    where: str


def pages(root):
    """The pages in the order of the site."""
    root = pathlib.Path(root)
    return [root / name for name in OTHERS] + sorted((root / "docs").rglob("*.md"))


def words_of(info):
    """The language of a block, and what stands behind it."""
    language, *rest = shlex.split(info) or [""]
    return language, {name: value for name, _, value in (word.partition("=") for word in rest)}


def blocks(page):
    """The fenced blocks of a page, and the commands that it does not show."""
    root = next(p for p in page.resolve().parents if (p / "Package.swift").exists())
    name, lines, found, at = page.resolve().relative_to(root), page.read_text().splitlines(), [], 0
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith("```"):
            indent = len(lines[at]) - len(lines[at].lstrip())
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            text = "\n".join(l[indent:] for l in lines[at + 1:end]) + "\n"
            found.append(Block(*words_of(line[3:]), text, f"{name}:{at + 1}"))
            at = end
        elif line.startswith("<!-- run"):
            end = next(i for i in range(at, len(lines)) if "-->" in lines[i])
            match = RUN.match("\n".join(lines[at:end + 1]).strip())
            found.append(Block("sh", words_of("sh " + match["words"])[1], match["text"], f"{name}:{at + 1}"))
            at = end
        at += 1
    return found


def prose(page):
    """The lines outside of blocks, with their numbers."""
    inside = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.strip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def slug(heading):
    """The anchor that GitHub makes of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def headings(page):
    """Level, text and anchor of each heading."""
    seen = {}
    for _, line in prose(page):
        if match := re.match(r"(#{1,6}) (.+)", line):
            anchor = slug(match[2])
            seen[anchor] = seen.get(anchor, -1) + 1
            yield len(match[1]), match[2], anchor + (f"-{seen[anchor]}" if seen[anchor] else "")


def anchors(page):
    return {anchor for _, _, anchor in headings(page)} | set(re.findall(r'<a id="([^"]+)"', page.read_text()))


def links(page):
    """Line and target of each link and picture."""
    for number, line in prose(page):
        line = re.sub(r"`[^`]*`", "", line)
        for target in re.findall(r"\]\(([^)\s]+)\)", line) + re.findall(r'(?:src|srcset|href)="([^"]+)"', line):
            yield number, target
