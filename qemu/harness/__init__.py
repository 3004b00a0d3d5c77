# SPDX-License-Identifier: MIT
"""The host side of the soak: build, run in QEMU, watch, judge, report.

Reading order: run, telemetry, ledger, verdict; the rest serve these four.
"""
