# SPDX-License-Identifier: MIT
"""The ESP-IDF component: compiled on paper, for RISC-V. Nothing runs."""

import unittest

from consumer import Project, tool
from ecosystem import PORT, sources, yaml


def built(name, *words):
    """Its table has no bank of the board's."""
    project = Project("esp-idf", name)
    project.edit("pools.toml", ', bank = "psram"', "")
    project.edit("pools.toml", 'psram = { region = "PSRAM",'
                 ' budget = "8K" }', "")
    project.configure(*words, toolchain="riscv.cmake")
    project.must_build()
    return project


class EspIdf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.project = built("esp-idf", "-DCMAKE_UNITY_BUILD=ON")

    def test_the_component_compiles_in_a_unity_build(self):
        self.assertTrue(any((self.project.folder / "build").rglob("unity_0_c.c*")))

    def test_the_component_compiles_for_risc_v_with_all_sources(self):
        """In no unity build: what was in no unit of that is not compiled anew."""
        self.project.configure("-DCMAKE_UNITY_BUILD=OFF", toolchain="riscv.cmake")
        self.project.must_build()
        objects = tool("ar", "t", self.project.folder /
                       "build/tidepool/lib__idf_tidepool.a").split()
        self.assertEqual(sorted(path.split("/")[-1] for path in sources()),
                         sorted(name.replace(".obj", "") for name in objects))

    def test_the_manifest_has_what_the_registry_wants(self):
        manifest = yaml(PORT / "esp-idf/tidepool/idf_component.yml")
        self.assertEqual({"version", "description", "license", "targets",
                          "dependencies"}, set(manifest))
