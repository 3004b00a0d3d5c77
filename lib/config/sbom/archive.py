# SPDX-License-Identifier: MIT
"""The members of an archive as ar writes it, GNU's form and BSD's."""

MAGIC = b"!<arch>\n"
HEAD, SIZE = 60, slice(48, 58)  # Bytes of a member's head; of it, how many follow.


def members(data, wanted):
    """What the archive of these bytes holds under the name [wanted], once or more; []
    where it is none, as a thin one."""
    name = wanted.encode(errors="surrogateescape")
    return [text for found, text in pairs(data) if found == name]


def pairs(data):
    """(name, bytes) of each member."""
    at, names = len(MAGIC), b""
    while data.startswith(MAGIC) and at + HEAD <= len(data):
        head = data[at:at + HEAD]
        if not head[SIZE].strip().isdigit():
            return
        name, text = head[:16].rstrip(), data[at + HEAD:at + HEAD + int(head[SIZE])]
        at += HEAD + int(head[SIZE]) + int(head[SIZE]) % 2
        if name == b"//":
            names = text
        elif name[:1] == b"/" and name[1:].isdigit():
            yield names[int(name[1:]):].split(b"/\n", 1)[0], text
        elif name[:3] == b"#1/" and name[3:].isdigit():
            yield text[:int(name[3:])].rstrip(b"\0"), text[int(name[3:]):]
        else:
            yield name[:-1] if name[-1:] == b"/" else name, text
