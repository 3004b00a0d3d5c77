# SPDX-License-Identifier: MIT
"""qemu/fleet: an array job on a real Slurm, and GNU parallel over paper ssh."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import command
import paper
from paper import HANG_SECONDS
from checkout import Checkout
from cluster import NODES, Cluster

SLURM = paper.ROOT / "qemu" / "fleet" / "slurm.sh"
PAPER_SSH = """\
#!/bin/sh
# Every host is this machine; parallel and tar cannot tell.
while [ "${1#-}" != "$1" ]; do shift; done
echo "$1" >> "$SSH_LOG"
shift
[ "$1" = -- ] && shift
exec sh -c "$*" < /dev/null
"""
SILENT_SSH = "#!/bin/sh\nexit 1\n"


class Slurm(unittest.TestCase):
    """The real firmware in the real QEMU, on two nodes of a real Slurm."""

    def setUp(self):
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)

    def submit(self, cluster, *arguments):
        """The exit code of an array of three seeds."""
        result = cluster.run(
            "sbatch", "--wait", "--array=1-3",
            f"--output={self.out}/%a.log", str(SLURM), str(self.out),
            "--frames", "3600", *arguments, cwd=paper.ROOT)
        return result.returncode, result.stdout + result.stderr + "".join(
            log.read_text() for log in self.out.glob("*.log"))

    def merge(self):
        said = command.soak("merge", "--seeds", "1-3", "--json", self.out)
        return said.code, json.loads(said.out)

    def nodes(self, cluster):
        jobs = cluster.run("scontrol", "show", "jobs").stdout
        return set(re.findall(r" NodeList=(\w+)", jobs))

    def test_an_array_job_runs_on_all_nodes_and_its_exit_code_is_the_verdict(
            self):
        with Cluster() as cluster:
            code, said = self.submit(cluster)
            self.assertEqual((code, self.merge()[0]), (0, 0), said)
            self.assertEqual(self.nodes(cluster), set(NODES))
            code, said = self.submit(cluster, "--plant", "double-free")
            self.assertEqual(code, 1, said)
        code, result = self.merge()
        self.assertEqual(code, 1)
        for run in result["runs"]:
            self.assertIn("double-free fault", run["why"])
            self.assertIn(f"--seed {run['seed']} ", run["reproduce"])


class Parallel(unittest.TestCase):
    def setUp(self):
        self.checkout = Checkout(self)
        self.root = self.checkout.root
        shutil.copytree(SLURM.parent, self.root / "qemu" / "fleet")
        (self.root / "nodes").write_text("# ours\n2/one\n1/other\n")
        (self.root / "ssh").write_text(PAPER_SSH)
        (self.root / "ssh").chmod(0o755)

    def parallel(self, seeds, *arguments, play="well", **environment):
        path = f"{self.root / 'bin'}:{os.environ['PATH']}"
        result = subprocess.run(
            [str(self.root / "qemu/fleet/parallel.sh"),
             str(self.root / "nodes"), seeds, str(self.checkout.out),
             "--frames", "3600", "--no-host", *arguments],
            env=dict(os.environ, PATH=path, PLAY=play,
                     HOME=str(self.root),  # parallel keeps notes there.
                     PARALLEL_SSH=str(self.root / "ssh"),
                     SSH_LOG=str(self.root / "ssh.log"), **environment),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=HANG_SECONDS)
        return result.returncode, result.stdout, result.stderr

    def test_seeds_spread_over_the_machines_and_their_results_come_back(self):
        code, stdout, stderr = self.parallel("1-4")
        self.assertEqual(code, 0, stderr)
        self.assertIn("PASS  4 seeds passed", stdout)
        self.assertEqual(set((self.root / "ssh.log").read_text().split()),
                         {"one", "other"})

    def test_machines_that_name_no_shell_run_their_seeds(self):
        code, _, stderr = self.parallel("1-2", SHELL="")
        self.assertEqual(code, 0, stderr)

    def test_a_machine_without_a_result_is_named_and_its_seeds_are_missing(self):
        (self.root / "ssh").write_text(SILENT_SSH)
        code, stdout, stderr = self.parallel("1-2")
        self.assertIn("no result came from one", stderr)
        self.assertIn("FAIL  missing: seeds 1-2", stdout)
        self.assertEqual(code, 2, stderr)

    def test_a_failed_seed_fails_the_fleet_and_is_named(self):
        code, stdout, stderr = self.parallel("1-2", play="badly")
        self.assertEqual(code, 1, stderr)
        self.assertIn("2 seeds of 2 failed, the first is seed 1", stdout)
        self.assertIn("again qemu/soak run --frames 3600 --seed 1", stdout)
