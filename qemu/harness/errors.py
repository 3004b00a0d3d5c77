# SPDX-License-Identifier: MIT
"""The one exception that ends a run with a sentence for a person."""


class CannotRun(Exception):
    """Why the soak could not run, and what to do about it.

    `output` holds lines of the tool that failed; they are shown as they are.
    """

    def __init__(self, sentence, output=""):
        super().__init__(sentence)
        self.output = output
