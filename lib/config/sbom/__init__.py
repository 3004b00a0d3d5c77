# SPDX-License-Identifier: MIT
"""The bill of materials of an image, as SPDX and as CycloneDX have it.

linked (which objects the linker took, and of which files each was compiled), parts
(what of them is Tidepool's, with its hashes; what the image says of itself), spdx and
cyclonedx (the same parts in the words of each). `tidepool.py sbom` writes both.
"""
