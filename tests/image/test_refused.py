# SPDX-License-Identifier: MIT
"""Definitions that cannot hold end the compilation, with a sentence."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ToolFailed, tool  # noqa: E402

HEAD = """#include "allocator/tp_dense.h"
#include "tp_by_hand.h"
#include "tp_declare.h"
#include "object/tp_retain.h"
#include "object/tp_update.h"
struct small { uint32_t word; };
struct large { uint64_t words[3]; };
"""
POOL = """TP_POOL_DECLARE(sparks, struct large);
TP_POOL_DEFINE%s(sparks, 24, 8, 8, .policy = &tp_drop);
"""
REFUSED = [
    ("TP_DENSE_DEFINE(d, 8, 0, 4, .full = 0);",
     "a dense pool has 1 to 32767 objects"),
    ("TP_DENSE_DEFINE(d, 8, 32768, 4, .full = 0);",
     "a dense pool has 1 to 32767 objects"),
    ("TP_DENSE_DEFINE(d, 8, 4, 12, .full = 0);",
     "alignments are powers of two"),
    ("TP_DENSE_DEFINE(d, 65536, 4, 4, .full = 0);",
     "objects are < 64 KiB"),
    ("#define TP_CRASH_WORDS 16384\n#include \"check/tp_crash.h\"",
     "what is kept of a crash has under 64 KiB"),
    (POOL % "" + "TEST_OBJECTS(sparks, 8, .init = 0);",
     "objects need tags at every level"),
]
ACCEPTED = [
    POOL % "_TAGGED" + "TEST_OBJECTS(sparks, 8, .init = 0);"
    "TP_OBJECTS_DECLARE(sparks, struct large);",
    "#define TP_CRASH_WORDS 16000\n#include \"check/tp_crash.h\"",
    "TP_DENSE_DECLARE(d, struct large);"
    "TP_DENSE_DEFINE(d, 24, 32767, 8, .full = 0);",
]


def compile_at_off(text):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one.c"
        source.write_text(HEAD + text + "\n")
        tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-std=c11",
             "-Wall", "-Wextra", "-Wno-unused", "-Werror", "-DTP_CHECKS=0",
             "-Ilib", "-Itests", "-Iport/cortex_m", "-fsyntax-only", source)


class Refused(unittest.TestCase):
    def test_what_cannot_hold_does_not_compile(self):
        for text, sentence in REFUSED:
            with self.subTest(text=text):
                with self.assertRaisesRegex(ToolFailed, sentence):
                    compile_at_off(text)

    def test_what_can_hold_does(self):
        for text in ACCEPTED:
            with self.subTest(text=text):
                compile_at_off(text)
