# SPDX-License-Identifier: MIT
"""The parts of an image as a document of SPDX 2.3."""

import hashlib

NO_CLOCK = ("SOURCE_DATE_EPOCH was not set: the time is 1970, for that of a clock"
            " would make of one image two documents")
JOINED = ("the image was optimised across files: which of these are in it is not"
          " known, and all that were linked are here")
KINDS = {"library": "SOURCE", "generated": "SOURCE", "table": "TEXT"}
NOBODY_SAYS = "NOASSERTION"


def document(parts, time, uuid):
    files = {one: f"SPDXRef-File-{number}" for number, one in
             enumerate(parts.files, 1)}
    tools = {one: f"SPDXRef-Tool-{number}" for number, one in
             enumerate(parts.tools, 1)}
    made = {"created": time or "1970-01-01T00:00:00Z",
            "creators": [f"Tool: tidepool.py-{parts.version}"]}
    if not time:
        made["comment"] = NO_CLOCK
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT", "name": parts.name,
            "documentNamespace": f"urn:uuid:{uuid}", "creationInfo": made,
            "packages": [image(parts), library(parts),
                         *[tool(one, name) for one, name in tools.items()]],
            "files": [file(one, name) for one, name in files.items()],
            "relationships": list(relations(files, tools))}


def package(name, key, purpose, **more):
    return {"name": name, "SPDXID": f"SPDXRef-{key}",
            "downloadLocation": NOBODY_SAYS, "filesAnalyzed": False,
            "licenseConcluded": NOBODY_SAYS, "licenseDeclared": NOBODY_SAYS,
            "copyrightText": NOBODY_SAYS, "primaryPackagePurpose": purpose, **more}


def image(parts):
    return package(parts.name, "Image", "FIRMWARE", packageFileName=f"./{parts.name}",
                   checksums=checksums(parts), comment=remarks(parts))


def remarks(parts):
    said = ["Of the image's parts only those of Tidepool are named."]
    if not parts.is_exact:
        said.append(f"{JOINED[0].upper()}{JOINED[1:]}.")
    if parts.unknown:
        said.append("What else " + ", ".join(parts.unknown) + " included is not known:"
                    " their compiler wrote no list.")
    return " ".join(said)


def library(parts):
    ours = parts.of("library")
    licences = " AND ".join(parts.licences()) or NOBODY_SAYS
    return package(
        "tidepool", "Tidepool", "LIBRARY", versionInfo=parts.version,
        filesAnalyzed=True, licenseConcluded=licences, licenseDeclared=licences,
        licenseInfoFromFiles=parts.licences() or [NOBODY_SAYS],
        packageVerificationCode={"packageVerificationCodeValue": verification(ours)},
        comment=f"Check level {parts.level}. Of its files those that are in the image.")


def verification(files):
    """As clause 7.9 of the specification has it."""
    return hashlib.sha1("".join(sorted(one.sha1 for one in files))
                        .encode()).hexdigest()


def tool(one, key):
    more = {"versionInfo": one.version} if one.version else {}
    return package(one.name, key[len("SPDXRef-"):], "APPLICATION", **more)


def checksums(one):
    return [{"algorithm": "SHA1", "checksumValue": one.sha1},
            {"algorithm": "SHA256", "checksumValue": one.sha256}]


def file(one, key):
    return {"fileName": f"./{one.name}", "SPDXID": key,
            "fileTypes": [KINDS[one.origin]], "checksums": checksums(one),
            "licenseConcluded": one.licence or NOBODY_SAYS,
            "licenseInfoInFiles": [one.licence or NOBODY_SAYS],
            "copyrightText": NOBODY_SAYS}


def relations(files, tools):
    yield relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Image")
    yield relation("SPDXRef-Image", "CONTAINS", "SPDXRef-Tidepool")
    tables = {one.name: key for one, key in files.items() if one.origin == "table"}
    for one, key in files.items():
        if one.origin == "library":
            yield relation("SPDXRef-Tidepool", "CONTAINS", key)
        elif one.origin == "generated":
            yield relation("SPDXRef-Image", "CONTAINS", key)
            for table in one.tables:
                yield relation(key, "GENERATED_FROM", tables[table])
    for key in tools.values():
        yield relation(key, "BUILD_TOOL_OF", "SPDXRef-Image")


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
