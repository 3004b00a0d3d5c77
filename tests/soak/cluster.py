# SPDX-License-Identifier: MIT
"""A Slurm cluster of two nodes, all of it on this machine and in one folder."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from paper import HANG_SECONDS, wait_until

NODES = ("soak1", "soak2")
CONFIG = """\
ClusterName=soak
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/linear
MpiDefault=none
ReturnToService=2
NodeName=soak1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]}
NodeName=soak2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]}
PartitionName=soak Nodes=soak1,soak2 Default=YES State=UP
"""


class Cluster:
    """Up when the `with` block begins, gone when it ends."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp())
        self._daemons = []
        self.environment = dict(os.environ,
                                SLURM_CONF=str(self.folder / "slurm.conf"))

    def __enter__(self):
        try:
            self._configure()
            self._start_munge()
            self._start("slurmctld", "-D", "-c")
            for node in NODES:
                self._start("slurmd", "-D", "-N", node)
            self._wait(lambda: "2 idle" in self.run("sinfo", "-h", "-o",
                                                    "%D %t").stdout)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self._daemons):
            daemon.terminate()
            daemon.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words, cwd=None):
        return subprocess.run(words, cwd=cwd, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=HANG_SECONDS)

    def _configure(self):
        (self.folder / "state").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIG.format(
            host=os.uname().nodename, user=getpass.getuser(),
            folder=self.folder, ports=[_free_port() for _ in range(3)]))

    def _start_munge(self):
        names = {"key-file": "key", "socket": "socket", "pid-file": "pid",
                 "log-file": "log", "seed-file": "seed"}
        self._start("munged", "--foreground", "--force", *(
            f"--{option}={self.folder}/munge.{name}"
            for option, name in names.items()))
        self._wait((self.folder / "munge.socket").exists)

    def _start(self, *words):
        with open(self.folder / "said.log", "ab") as log:
            self._daemons.append(subprocess.Popen(
                words, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log))

    def _wait(self, condition):
        try:
            wait_until(condition, pause=0.2)
        except AssertionError as late:
            raise AssertionError(f"Slurm did not come up: {late}\n{self._logs()}")

    def _logs(self):
        return "\n".join(f"{path.name}:\n{path.read_text()[-2000:]}"
                         for path in sorted(self.folder.glob("*.log")))


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
