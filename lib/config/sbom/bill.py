# SPDX-License-Identifier: MIT
"""Both documents of an image, the same bytes from the same input."""

import datetime
import hashlib
import json
import os
import uuid

from decoder import Unreadable

from . import cyclonedx, spdx
from .linked import Sources
from .parts import Parts

FORMATS = {".spdx.json": spdx, ".cdx.json": cyclonedx}


def bill(image, options, tables, generated):
    """{file name: text}, and a line for each thing that they cannot say."""
    sources = Sources(options.folder, options.build or options.folder, options.ninja)
    parts = Parts(image, options.map, sources, tables, generated, options.compiler)
    time = epoch()
    pages = {parts.name + ending: page(form, parts, time)
             for ending, form in FORMATS.items()}
    notes = [f"{image}: note: of {name} no list of its headers was found: it may"
             " have more of Tidepool" for name in parts.unknown]
    if not parts.is_exact:
        notes.append(f"{image}: note: {spdx.JOINED}")
    return pages, notes


def page(form, parts, time):
    """Its number is made of what it says, for two images have two documents."""
    said = json.dumps(form.document(parts, time, ""))
    number = uuid.UUID(bytes=hashlib.sha256(said.encode()).digest()[:16], version=5)
    return json.dumps(form.document(parts, time, number), indent=2) + "\n"


def epoch():
    """The time that SOURCE_DATE_EPOCH says; "" if it is not set."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return text and datetime.datetime.fromtimestamp(
            int(text), datetime.timezone.utc).replace(tzinfo=None).isoformat() + "Z"
    except (ValueError, OverflowError, OSError):
        raise Unreadable(f"SOURCE_DATE_EPOCH is {json.dumps(text)}: it must be seconds"
                         " since 1970") from None
