"""Cases of tests as lines of text, which stand in files beside this one."""

from pathlib import Path


def cases(name, section=""):
    """Fields between the arrows of each line of a section; # begins a remark."""
    lines, here = [], ""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line[:1] == "[" and line[-1:] == "]":
            here = line[1:-1]
        elif line and line[0] != "#" and here == section:
            first, *others = line.replace("\\n", "\n").replace("\\t", "\t").split(" ->")
            lines.append((first, *(field[1:] for field in others)))
    return lines
