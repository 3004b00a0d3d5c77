# SPDX-License-Identifier: MIT
"""The parts of an image as a document of CycloneDX 1.5."""

from .spdx import remarks


def document(parts, time, uuid):
    stamp = {"timestamp": time} if time else {}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5",
            "serialNumber": f"urn:uuid:{uuid}", "version": 1,
            "metadata": {**stamp, "tools": {"components": [
                {"type": "application", "name": "tidepool.py",
                 "version": parts.version}]}, "component": image(parts)},
            "components": [library(parts), *[file(one) for one in parts.files
                                             if one.origin != "library"],
                           *[tool(one) for one in parts.tools]],
            "dependencies": [{"ref": "image", "dependsOn": ["tidepool", *[
                one.name for one in parts.of("generated")]]},
                *[{"ref": one.name, "dependsOn": list(one.tables)}
                  for one in parts.of("generated")]],
            "compositions": [
                {"aggregate": "incomplete", "assemblies": ["image"]},
                {"aggregate": "incomplete" if parts.unknown else "complete",
                 "assemblies": ["tidepool"]}]}


def hashes(one):
    return [{"alg": "SHA-1", "content": one.sha1},
            {"alg": "SHA-256", "content": one.sha256}]


def image(parts):
    return {"type": "firmware", "bom-ref": "image", "name": parts.name,
            "description": remarks(parts), "hashes": hashes(parts)}


def licensed(names):
    return {"licenses": [{"license": {"id": name}} for name in names]} if names else {}


def library(parts):
    return {"type": "library", "bom-ref": "tidepool", "name": "tidepool",
            "version": parts.version, **licensed(parts.licences()),
            "purl": f"pkg:generic/tidepool@{parts.version}",
            "properties": [{"name": "tidepool:checks", "value": parts.level}],
            "components": [file(one) for one in parts.of("library")]}


def file(one):
    return {"type": "file", "bom-ref": one.name, "name": one.name,
            "hashes": hashes(one), **licensed([one.licence] if one.licence else []),
            "properties": [{"name": "tidepool:origin", "value": one.origin}]}


def tool(one):
    version = {"version": one.version} if one.version else {}
    return {"type": "application", "bom-ref": f"tool:{one.name} {one.version}".strip(),
            "name": one.name, **version, "scope": "excluded",
            "description": "Made the image."}
