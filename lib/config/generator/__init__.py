# SPDX-License-Identifier: MIT
"""The walk from pools.toml to C, a module a step.

toml (text to a tree in which everything knows its line and column, and what is
wrong there), values, keys, rows, allocators, contexts and model (the tree to rows
that know each other), pool_rules, spill_rules, context_rules and check (what they
must obey), page (what the three files share), header and calls, source and
pool_definitions (rows to the files), names (what those would make twice), cli (the
verbs). measure serves the verbs that compare a table with an image and with soaks.
A problem never stops the search for the next one; a problem that only follows from
another is not reported.
"""
