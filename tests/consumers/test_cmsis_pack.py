# SPDX-License-Identifier: MIT
"""The CMSIS-Pack: what its description names exists, builds and runs."""

import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from consumer import HERE, Project, exit_code, tool
from ecosystem import PORT, image_bytes, link, objects, package, sources
from support import ToolFailed

# Each breaks the file: what stands there, what would, and what is then said of it.
BROKEN = (('offset="56"', 'offset="0x38 +"', "offset"),
          ('type="tp_bump" offset', 'type="tp_bumps" offset', "has_a_typedef"),
          ("%N[entry[i].title]", "%N(entry[i].title)", "value"),
          ('type="tp_kind" offset="entry[i].kind" init="1"',
           'type="tp_kind" offset="entry[i].kind"', "init"),
          ('<var name="j"', '<variable name="j"', "variable"))


class CmsisPack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = package("cmsis-pack")
        cls.pdsc = cls.folder / "Tidepool.Tidepool.pdsc"
        cls.tree = xml.parse(cls.pdsc).getroot()
        chosen = [[cls.folder / file for file in cls.files(category)]
                  for category in ("source", "include")]
        cls.library = objects("cmsis-pack", *chosen)

    @classmethod
    def files(cls, category, component="Pools"):
        it = cls.tree.find(f".//component[@Csub='{component}']")
        return [file.get("name") for file in it.iter("file")
                if file.get("category") == category]

    def firmware(self, name, *more):
        """The image of a project of that folder that chose the component of pools,
        and [more]."""
        project = Project(name, "cmsis-project")
        generator, = self.files("utility")
        project.must("python3", self.folder / generator, "generate",
                     "pools.toml", "--out", ".")
        sources = [self.folder / file for component in more
                   for file in self.files("source", component)]
        includes = [self.folder / file for component in ("Pools", *more)
                    for file in self.files("include", component)]
        return link(project, [*self.library, *sources, "tp_pools.c"],
                    [*includes, "."], ["."])

    def test_it_is_well_formed_and_named_as_it_says(self):
        tool("xmllint", "--noout", self.pdsc)
        self.assertEqual(self.pdsc.name, "{}.{}.pdsc".format(
            self.tree.findtext("vendor"), self.tree.findtext("name")))

    def checked(self, scvd):
        tool("xmllint", "--noout", "--schema", HERE / "component_viewer.xsd", scvd)

    def test_the_view_of_its_component_follows_the_schema(self):
        scvd, = self.files("other")
        self.checked(self.folder / scvd)

    def test_a_view_that_is_broken_is_refused(self):
        text = (self.folder / "Tidepool.scvd").read_text()
        for old, new, said in BROKEN:
            self.assertIn(old, text)
            broken = self.folder / "broken.scvd"
            broken.write_text(text.replace(old, new, 1))
            with self.assertRaisesRegex(ToolFailed, said):
                self.checked(broken)

    def test_every_name_in_it_exists(self):
        names = [file.get("name") for file in self.tree.iter("file")]
        for name in names + [self.tree.findtext("license")]:
            self.assertTrue((self.folder / name).exists(), name)
        conditions = {condition.get("id")
                      for condition in self.tree.iter("condition")}
        for component in self.tree.iter("component"):
            self.assertIn(component.get("condition"), conditions)

    def test_it_has_all_sources_and_a_firmware_of_them_runs(self):
        self.assertEqual(sources(), sorted(self.files("source")))
        self.assertEqual(0, exit_code(self.firmware("firmware")))

    def test_a_fence_of_its_component_for_the_mpu_stops_who_writes_to_it(self):
        self.assertEqual(sorted(path.name for path in PORT.glob("mpu/*.c")), sorted(
            Path(name).name for name in self.files("source", "MPU")))
        self.assertEqual(0, exit_code(self.firmware("guarded", "MPU")))

    def test_of_the_component_for_the_mpu_nothing_is_linked_that_nobody_calls(self):
        without = image_bytes(self.firmware("firmware"))
        self.assertEqual(without, image_bytes(self.firmware("firmware", "MPU")))
