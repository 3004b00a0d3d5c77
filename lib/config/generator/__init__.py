# SPDX-License-Identifier: MIT
"""The walk from pools.toml to C, a module a step.

toml (text to a tree in which everything knows its line and column), values, keys,
rows and model (the tree to rows that know each other), rules, pool_rules,
scene_rules and check (what they must obey), page (what the three files share),
header and calls, source, pool_definitions and definitions, linker (rows to the
files), cli (the verbs). measure, advise and describe serve the verbs that print for
people. A problem never stops the search for the next one; a problem that only
follows from another is not reported.
"""
