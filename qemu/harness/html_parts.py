# SPDX-License-Identifier: MIT
"""The HTML that both reports are made of: page, sections, lists and tables."""

from html import escape
from pathlib import Path

from .number_text import outcome

CSS = Path(__file__).with_name("report.css")
SCRIPT = Path(__file__).with_name("report.js")


def page(title, body):
    """Whole without its script, which only lets one look closer at the plots."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>\n{CSS.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        f"<main>\n{body}</main>\n"
        f"<script>\n{SCRIPT.read_text(encoding='utf-8')}</script>\n"
        "</body>\n</html>\n")


class Html(str):
    """What is HTML already."""


def link(text, target):
    return Html(f'<a href="{escape(target)}">{escape(text)}</a>')


def verdict_box(verdict, why):
    return (f'<div class="verdict {verdict}"><strong>{verdict.capitalize()}'
            f"</strong><p>{escape(why)}</p></div>\n")


def fact_list(facts):
    entries = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>"
                      for name, value in facts)
    return f'<dl class="facts">{entries}</dl>\n'


def section(title, body):
    return f"<section>\n<h2>{title}</h2>\n{body}\n</section>\n"


def item_list(style, items):
    entries = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f'<ul class="{style}">{entries}</ul>'


def check_table(results):
    styles = {True: "ok", False: "bad", None: "dim"}
    rows = [(styles[result["passed"]],
             [outcome(result["passed"]), result["name"], result["detail"]])
            for result in results]
    return table(["!Result", "Check", "Numbers"], rows)


def table(headings, rows):
    """A heading that begins with # is of numbers, one with ! of verdicts."""
    styles = [{"#": "number", "!": "mark"}.get(heading[0], "text")
              for heading in headings]
    labels = [heading.lstrip("#!") for heading in headings]
    head = "".join(f'<th scope="col" class="{style}">{label}</th>'
                   for style, label in zip(styles, labels))
    body = "".join(_row(name, cells, styles, labels) for name, cells in rows)
    return (f"<table><thead><tr>{head}</tr></thead>"
            f"<tbody>\n{body}</tbody></table>")


def _row(name, cells, styles, labels):
    return f'<tr class="{name}">' + "".join(
        f'<td class="{style}" data-label="{label}">{_cell(cell)}</td>'
        for cell, style, label in zip(cells, styles, labels)) + "</tr>\n"


def _cell(cell):
    return cell if isinstance(cell, Html) else escape(cell)
