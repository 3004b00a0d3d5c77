# SPDX-License-Identifier: MIT
"""What the specifications of SPDX 2.3 and CycloneDX 1.5 require of a document, as far
as ours have it: no package of Debian 12 knows either.

A form is a pattern of a text, or a type; {key: form} what an object must have, a "?"
before what it may; [form] a list of these, of one at least.
"""

import re

ID = r"SPDXRef-[A-Za-z0-9.-]+"
UUID = r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
TEXT = r"(?s).+"
SUM = {"algorithm": r"SHA(1|256)", "checksumValue": r"[0-9a-f]{40}([0-9a-f]{24})?"}
LICENCE = r"MIT|NOASSERTION"
SPDX = {
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
    "name": TEXT, "documentNamespace": UUID,
    "creationInfo": {"created": TIME, "creators": [r"Tool: \S+-\S+"], "?comment": TEXT},
    "packages": [{
        "name": TEXT, "SPDXID": ID, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": bool, "licenseConcluded": LICENCE, "licenseDeclared": LICENCE,
        "copyrightText": TEXT, "primaryPackagePurpose": "FIRMWARE|LIBRARY|APPLICATION",
        "?packageFileName": r"\./\S+", "?checksums": [SUM], "?comment": TEXT,
        "?versionInfo": TEXT, "?licenseInfoFromFiles": [LICENCE],
        "?packageVerificationCode": {"packageVerificationCodeValue": "[0-9a-f]{40}"}}],
    "files": [{
        "fileName": r"\./\S+", "SPDXID": ID, "fileTypes": ["SOURCE|TEXT"],
        "checksums": [SUM], "licenseConcluded": LICENCE,
        "licenseInfoInFiles": [LICENCE], "copyrightText": TEXT}],
    "relationships": [{"spdxElementId": ID, "relatedSpdxElement": ID,
                       "relationshipType": "DESCRIBES|CONTAINS|GENERATED_FROM"
                                           "|BUILD_TOOL_OF"}]}

HASHES = [{"alg": "SHA-(1|256)", "content": SUM["checksumValue"]}]
LICENCES = [{"license": {"id": "MIT"}}]
PROPERTIES = [{"name": TEXT, "value": TEXT}]
FILE = {"type": "file", "bom-ref": TEXT, "name": TEXT, "hashes": HASHES,
        "?licenses": LICENCES, "properties": PROPERTIES}
CYCLONEDX = {
    "bomFormat": "CycloneDX", "specVersion": r"1\.5", "serialNumber": UUID,
    "version": int,
    "metadata": {
        "?timestamp": TIME,
        "tools": {"components": [{"type": "application", "name": TEXT,
                                  "version": TEXT}]},
        "component": {"type": "firmware", "bom-ref": TEXT, "name": TEXT,
                      "description": TEXT, "hashes": HASHES}},
    "components": [{
        "type": "library|file|application", "bom-ref": TEXT, "name": TEXT,
        "?version": TEXT, "?licenses": LICENCES, "?hashes": HASHES,
        "?purl": "pkg:[a-z]+/.+@.+", "?properties": PROPERTIES, "?scope": "excluded",
        "?description": TEXT, "?components": [FILE]}],
    "dependencies": [{"ref": TEXT, "dependsOn": [TEXT]}],
    "compositions": [{"aggregate": "complete|incomplete", "assemblies": [TEXT]}]}


def wrong(value, form, place=""):
    """Where [value] is not of [form], a line each."""
    if isinstance(form, str):
        right = isinstance(value, str) and re.fullmatch(form, value)
    elif isinstance(form, dict):
        yield from wrong_object(value, form, place)
        return
    elif isinstance(form, list):
        right = isinstance(value, list) and value
        for number, one in enumerate(value if right else ()):
            yield from wrong(one, form[0], f"{place}/{number}")
    else:
        right = type(value) is form
    if not right:
        yield f"{place}: {value!r}"


def wrong_object(value, form, place):
    if not isinstance(value, dict):
        yield f"{place}: {value!r}"
        return
    known = {key.lstrip("?"): one for key, one in form.items()}
    yield from (f"{place}/{key}: missing" for key in form
                if key[0] != "?" and key not in value)
    for key, one in value.items():
        if key not in known:
            yield f"{place}/{key}: unknown"
        else:
            yield from wrong(one, known[key], f"{place}/{key}")


def dangling(spdx, cyclonedx):
    """What is referred to and is not there, or is there twice."""
    ours = [one["SPDXID"] for one in [spdx, *spdx["packages"], *spdx["files"]]]
    told = {each for one in spdx["relationships"]
            for each in (one["spdxElementId"], one["relatedSpdxElement"])}
    parts = [cyclonedx["metadata"]["component"], *cyclonedx["components"]]
    parts += [each for one in parts for each in one.get("components", ())]
    refs = [one["bom-ref"] for one in parts]
    asked = {each for one in cyclonedx["dependencies"]
             for each in (one["ref"], *one["dependsOn"])}
    asked |= {each for one in cyclonedx["compositions"] for each in one["assemblies"]}
    twice = {one for one in ours + refs if (ours + refs).count(one) > 1}
    return sorted(twice | (told - set(ours)) | (asked - set(refs)))
