# SPDX-License-Identifier: MIT
"""Where a store goes that QEMU 7.2 stops at for a watchpoint elsewhere.

A store to an address that is no multiple of its size it takes for one to all that
its page holds before that, too. Only what may have such an address is looked at:
others fault, or are of words as they are watched.
"""

WORD, HALF = 4, 2
STR, STRH = 0b01100, 0b10000  # Of 16 bits, the highest five: at an offset.
BY_REGISTER = {0b0101000: WORD, 0b0101001: HALF}  # The highest seven.
WIDE = {0xF820: HALF, 0xF840: WORD}  # Of 32 bits, but for U and the register.


def is_elsewhere(registers, code, words):
    """Whether the instruction, whose two halves are code, lower one first, is a store
    that touches none of the words."""
    address, size = _store(registers, code & 0xFFFF, code >> 16)
    return bool(size) and not any(
        word - size < address < word + WORD for word in words)


def _store(registers, first, second):
    """Its address and size; of anything else no size."""
    base, at = registers[first >> 3 & 7], first >> 6
    if first >> 11 in (STR, STRH):
        size = WORD if first >> 11 == STR else HALF
        return base + size * (at & 31), size
    if first >> 9 in BY_REGISTER:
        return (base + registers[at & 7]) % 2**32, BY_REGISTER[first >> 9]
    size = WIDE.get(first & 0xFF70, 0)
    return (registers[first & 15] + _offset(registers, first, second)) % 2**32, size


def _offset(registers, first, second):
    """From the base of a store of 32 bits."""
    if first & 0x80:
        return second & 0xFFF
    if not second & 0x800:
        return registers[second & 15] << (second >> 4 & 3)
    is_before, is_up = second & 0x400, second & 0x200
    return (second & 0xFF if is_up else -(second & 0xFF)) if is_before else 0
