# SPDX-License-Identifier: MIT
"""The RAM map as HTML: a bar a section, a piece an object."""

from html import escape

from .number_text import counted, grouped, percent

SHADES = 6


def ram_bars(sections):
    return "".join(map(_bar, sections))


def _bar(entry):
    name = f"bank {entry['bank']}" if entry["bank"] else entry["section"]
    about = f"{counted(entry['bytes'], 'byte')} from 0x{entry['address']:08x}"
    pieces = "".join(_piece(at, part) for at, part in enumerate(entry["parts"]))
    words = "".join(_word(at, part, entry["bytes"])
                    for at, part in enumerate(entry["parts"]))
    return (f'<div class="bank"><h3>{escape(name)}<small>{about}</small></h3>'
            f'<div class="bar" aria-hidden="true">{pieces}</div>'
            f'<ul class="parts">{words}</ul></div>\n')


def _piece(at, part):
    return f'<i class="shade{at % SHADES}" style="flex:{part["bytes"]}"></i>'


def _word(at, part, whole):
    return (f'<li><i class="shade{at % SHADES}"></i>{escape(part["name"])}'
            f" <b>{grouped(part['bytes'])}</b>"
            f" ({percent(part['bytes'], whole)})</li>")
