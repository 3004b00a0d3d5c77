# SPDX-License-Identifier: MIT
"""What GDB prints of a handle, by a GDB of paper: how wide a handle is, its type
says."""

import importlib
import sys
import types
import unittest
from pathlib import Path
from unittest import mock

import paper_memory  # noqa: F401: where the decoder is.
from decoder.pool import LIVE

FOLDER = Path(__file__).resolve().parents[2] / "port" / "gdb"


class Command:
    def __init__(self, *_, **__):
        pass


def paper_gdb():
    codes = ("ARRAY", "FUNC", "STRUCT", "UNION", "REF", "RVALUE_REF", "ERROR")
    return types.SimpleNamespace(Command=Command, COMMAND_DATA=0, pretty_printers=[],
                                 **{f"TYPE_CODE_{name}": name for name in codes})


class Bits(int):
    def __new__(cls, value, size):
        made = super().__new__(cls, value)
        made.type = types.SimpleNamespace(sizeof=size)
        return made


class Handles(unittest.TestCase):
    def setUp(self):
        self.enterContext(mock.patch.dict(sys.modules, gdb=paper_gdb()))
        self.enterContext(mock.patch.object(sys, "path", [str(FOLDER), *sys.path]))
        self.addCleanup(sys.modules.pop, "tidepool_gdb", None)
        self.script = importlib.import_module("tidepool_gdb")

    def printed(self, bits, size):
        pool = types.SimpleNamespace(
            pool=types.SimpleNamespace(handle_bits=3, policy=0), capacity=4, fresh=2,
            tags=[0, LIVE + 5, LIVE + 7])
        entry = types.SimpleNamespace(it=types.SimpleNamespace(pool=lambda: pool))
        firmware = types.SimpleNamespace(called=lambda name: entry)

        class Value(dict):
            type = types.SimpleNamespace(name="sounds_handle_t")
        with mock.patch.object(self.script, "firmware", lambda: firmware):
            return self.script.HandlePrinter(Value(bits=Bits(bits, size))).to_string()

    def test_a_handle_is_read_as_wide_as_it_is(self):
        for size, bits, said in ((4, 5 << 3 | 1, "slot 1 of sounds, live"),
                                 (4, 4 << 3 | 1, "slot 1 of sounds, stale"),
                                 (8, LIVE + 7 << 16 | 2, "slot 2 of sounds, live"),
                                 (8, LIVE + 6 << 16 | 2, "slot 2 of sounds, stale")):
            self.assertEqual(f"{bits:#010x}: {said}", self.printed(bits, size))


if __name__ == "__main__":
    unittest.main()
