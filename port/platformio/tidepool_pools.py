# SPDX-License-Identifier: MIT
"""PlatformIO runs this for a project that has the library in lib_deps: it
generates from the project's pools.toml, or from the file that its option
custom_tidepool_pools names, and from the tables that it includes, and compiles
the result with the project. With custom_tidepool_mpu = yes, port/mpu too."""

import os
import subprocess
import sys

Import("env", "projenv")  # noqa: F821

ROOT = os.getcwd()  # PlatformIO goes to the library's folder.
CONFIG = os.path.join(projenv.subst("$PROJECT_DIR"),  # noqa: F821
                      projenv.GetProjectOption(  # noqa: F821
                          "custom_tidepool_pools", "pools.toml"))
OUT = os.path.join(projenv.subst("$BUILD_DIR"), "tidepool")  # noqa: F821

if subprocess.call([sys.executable,
                    os.path.join(ROOT, "lib", "config", "tidepool.py"),
                    "generate", CONFIG, "--out", OUT, "--libraries",
                    "--depfile", os.path.join(OUT, "tables.d")]):
    env.Exit(1)  # noqa: F821

with open(os.path.join(OUT, "tables.d")) as rule:  # Files: tables.
    TABLES = rule.read().replace("\\ ", "\0").split(": ")[-1].split()
FOLDERS = {os.path.dirname(table.replace("\0", " ")) for table in TABLES}

projenv.Append(CPPPATH=[  # noqa: F821
    OUT, *sorted(FOLDERS), os.path.join(ROOT, "lib"),
    os.path.join(ROOT, "port", "cortex_m")])
projenv.BuildSources(  # noqa: F821
    os.path.join("$BUILD_DIR", "tidepool_objects"), OUT)
if projenv.GetProjectOption("custom_tidepool_mpu", "no") == "yes":  # noqa: F821
    MPU = os.path.join(ROOT, "port", "mpu")
    projenv.Append(CPPPATH=[MPU])  # noqa: F821
    projenv.BuildSources(  # noqa: F821
        os.path.join("$BUILD_DIR", "tidepool_mpu"), MPU)
# The linker script says INCLUDE tp_pools.ld.
DefaultEnvironment().Append(LIBPATH=[OUT])  # noqa: F821
