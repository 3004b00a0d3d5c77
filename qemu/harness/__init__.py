# SPDX-License-Identifier: MIT
"""The host side of the soak: build, run in QEMU, watch, judge, report.

Reading order: run, follow, telemetry, ledger, verdict: one run. Then
checkpoint and resume: a run that was killed; seeds and merge: many runs; why
and profile: what to do with one. The rest serve these.
"""
