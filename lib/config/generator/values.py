# SPDX-License-Identifier: MIT
"""Read: what one value may say, and the numbers of the library that bound it.

Each reader notes what it takes in the words of JSON Schema, too.
"""

import re

from .toml import did_you_mean, quote

VERSION = 1              # Of the format of pools.toml.
OUTSIDE = "outside"      # Where the link of a slot is that is not in it.
LINK_BYTES = 4           # A free slot holds the number of the next one.
COUNT_MAX = 32767
SCENES_MAX = CLASSES_MAX = 255  # Counted in a byte.
STRIDE_MAX = 65535
BYTES_MAX = 0xFFFFFFFF
TAG_BYTES = 4            # Of a slot: whether it lives, and its generation.
MAGAZINE_BYTES = 8       # Behind them: a list of each of two cores.
AGE_BYTES = 4            # Of a slot in a pool that steals, and once more.
REGION_MAX = 0x10000000  # Bytes of a stack, a frame or a nest.
INT_MAX = 0x7FFFFFFF     # What an enumerator may be.
RELOCATING_MAX = 524272  # Bytes: places are counted in 16 bits.
RED_ZONE_BYTES = 8       # Behind a slot and before the first at full, at least.
# What each core can lock with beside PRIMASK.
CPUS = {"cortex-m0": [], "cortex-m0plus": [], "cortex-m1": [],
        "cortex-m23": ["exclusive"]}
CPUS.update((f"cortex-m{name}", ["basepri", "exclusive"])
            for name in ("3", "4", "7", "33", "35p", "52", "55", "85"))
LOCKS = {"primask": "TP_LOCK_PRIMASK", "none": "TP_LOCK_NONE",
         "exclusive": "TP_LOCK_PRIMASK", "cores": "TP_LOCK_CORES"}
POINTER_BYTES = 4
OWNER_BYTES = 16          # A struct tp_owner.
ARENA_ALIGN = 8          # Of what has no alignment of its own.
POOL_BYTES = 68          # Of struct tp_pool, in flash.
DENSE_BYTES = 40         # Of struct tp_dense.
STATE_BYTES = 24         # Of struct tp_pool_state.
END_BYTES = 24           # Of an end of a stack: struct tp_bump and tp_marks.
BUMP_BYTES = 12
UNION_MAX = 8            # Types that a slot may be for.
REUSES_PER_SECOND = 60   # Of one slot: a new object in it every frame.
DAY_SECONDS = 24 * 3600
# The most that handles of 32 bits can number without wrapping within a day.
DAY_SLOTS = (1 << 32 - (DAY_SECONDS * REUSES_PER_SECOND - 1).bit_length()) - 1

LEVELS = ["off", "fast", "poison", "full"]  # Of checks, in the order of TP_CHECKS.
POLICIES = ["assert", "drop", "steal-oldest", "steal-least", "spill"]
THIEVES = ["steal-oldest", "steal-least"]
OWN_POLICY = "policy"    # How a row is full that names one of the application's.

KINDS = {str: "a string", bool: "true or false", int: "a whole number",
         float: "a number with a fraction", list: "an array", dict: "a table"}
BARE = {bool: "true|false", int: "[0-9]+"}  # How they are written.
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# A type of C, or a qualified name of C++: "app::Bullet", "::Bullet".
C_TYPE = re.compile(r"(?:[A-Za-z_]\w*(?: [A-Za-z_]\w*)*|(?:::)?[A-Za-z_]\w*"
                    r"(?:::[A-Za-z_]\w*)+|::[A-Za-z_]\w*)(?: ?\*+)?", re.ASCII)
KEYWORDS = set("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char
    char8_t char16_t char32_t class co_await co_return co_yield compl concept const
    const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto
    if inline int long mutable namespace new noexcept not not_eq nullptr operator or
    or_eq private protected public register reinterpret_cast requires restrict return
    short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename typeof typeof_unqual union
    unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof
    _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert
    _Thread_local""".split())


class Wrong(Exception):
    """A value that its key does not take: "must be ...", then hints."""

    def __init__(self, text, *hints, place=None):
        super().__init__(text)
        self.hints = hints
        self.place = place


def written(answer, key="full"):
    """How a row says it."""
    return "policy" if answer == OWN_POLICY else f"{key} = {quote(answer)}"


def expect(node, kind):
    """The value of [node], if it is a [kind]."""
    value = node.value
    if type(value) is kind:
        return value
    hints = []
    if isinstance(value, str) and re.fullmatch(BARE.get(kind, "(?!)"), value):
        hints = [f"write {value.lstrip('0') or 0} without quotes"]
    raise Wrong(f"must be {KINDS[kind]}, not {KINDS[type(value)]}", *hints,
                place=node.place)


def takes(**schema):
    """Notes on a reader what it takes, in the words of JSON Schema."""
    def note(read):
        read.schema = schema
        return read
    return note


@takes(type="boolean")
def boolean(node):
    return expect(node, bool)


def whole(low, high, why_not_less=None):
    """Reads a whole number from [low] to [high], which may have a unit."""
    @takes(anyOf=[{"type": "integer", "minimum": low, "maximum": high},
                  {"type": "string", "pattern": "^[0-9]{1,9}[KM]$"}])
    def read(node):
        match = re.fullmatch("([0-9]{1,9})([KM])", str(node.value))
        number = bytes_of(match) if match else expect(node, int)
        if low <= number <= high:
            return number
        hints = [why_not_less] if why_not_less and number < low else []
        raise Wrong(f"must be {low} to {high}, not {number}", *hints)
    return read


class Formula(float):
    """A number that only the compiler knows: its C. Whatever Python computes with it
    is not a number either, but for what C is told of: differences, and bits."""

    def __new__(cls, text):
        made = super().__new__(cls, "nan")
        made.text = text
        return made

    def __str__(self):
        return self.text

    def __format__(self, form):
        return format(self.text, form)

    def __sub__(self, number):
        return Formula(f"({self} - {number})") if number else self

    def bit_length(self):
        return Formula(f"TP_HANDLE_BITS({self})")


def unknown(number):
    """Whether only the compiler knows it."""
    return number != number


def most(numbers):
    """The largest; unknown if one of them is."""
    numbers = list(numbers)
    return next(filter(unknown, numbers), max(numbers))


TOKEN = re.compile(r" *(?:(?P<type>sizeof *\( *([^()]*?) *\))"
                   r"|(?P<name>(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)"
                   r"|(?P<number>(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)"
                   r"(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?(?!\w))"
                   r"|(?P<sign><<|>>|\+(?!\+)|-(?!-)|[*/%])|(?P<paren>[()]))", re.ASCII)


FORMULA = r"^[A-Za-z0-9_ ():<>*/%+-]+$"


def is_formula(text):
    """Whether [text] is C of numbers, names, sizeof(TYPE) and arithmetic alone."""
    text, at, depth, value = text.rstrip(" "), 0, 0, False
    while at < len(text):
        token = TOKEN.match(text, at)
        if not token or not fits_behind(token, value):
            return False
        at, paren = token.end(), token["paren"]
        depth += {"(": 1, ")": -1, None: 0}[paren]
        if depth < 0:
            return False
        value = not (token["sign"] or paren == "(")
    return value and depth == 0


def left_to_c(value):
    """Whether a number is written as C."""
    return isinstance(value, str) and not re.fullmatch(AMOUNT, value)


def fits_behind(token, value):
    """Whether it may follow: an operand, if [value], or what wants one."""
    if token["sign"] or token["paren"] == ")":
        return value or token["sign"] in ("+", "-")
    if token["type"]:
        return not value and bool(C_TYPE.fullmatch(token[2]))
    return not value and token["name"] not in KEYWORDS


def number(low, high, why_not_less=None):
    """Reads a whole number as whole() does, or the C of one."""
    plain = whole(low, high, why_not_less)

    @takes(anyOf=[*plain.schema["anyOf"], {"type": "string", "pattern": FORMULA}])
    def read(node):
        text = node.value
        if not left_to_c(text):
            return plain(node)
        if is_formula(text):
            return text
        raise Wrong(f"must be {low} to {high}, or such a number in C, as "
                    f"\"2 * PORTS\", not {quote(text)}")
    return read


def alignment(low, high):
    powers = [1 << n for n in range(16) if low <= 1 << n <= high]

    @takes(enum=powers)
    def read(node):
        number = expect(node, int)
        if number in powers:
            return number
        raise Wrong(f"must be a power of two from {low} to {high}, not {number}",
                    "one of " + ", ".join(map(str, powers)))
    return read


def one_of(*words):
    @takes(enum=list(words))
    def read(node):
        word = expect(node, str)
        if word in words:
            return word
        raise Wrong(f"is unknown: {quote(word)}", did_you_mean(word, words))
    return read


BASEPRI = r"basepri:(0x[0-9a-fA-F]{1,2}|[0-9]{1,3})"


@takes(anyOf=[{"enum": list(LOCKS)}, {"type": "string", "pattern": f"^{BASEPRI}$"}])
def lock(node):
    """A word of LOCKS, or the number that BASEPRI takes."""
    word = expect(node, str)
    match = re.fullmatch(BASEPRI, word)
    if not match:
        return one_of(*LOCKS, "basepri:N")(node)
    number = int(match[1], 0)
    if 3 <= number <= 255:
        return number
    raise Wrong(f"must be basepri:3 to basepri:255, not {quote(word)}",
                "the byte as BASEPRI holds it: the priority in its high bits")


@takes(anyOf=[{"enum": [OUTSIDE]}, *whole(0, STRIDE_MAX).schema["anyOf"]])
def link(node):
    """Where in an object, or that it is not in one."""
    if node.value == OUTSIDE:
        return OUTSIDE
    if type(node.value) is str and not re.match("[0-9]", node.value):
        raise Wrong(f"is unknown: {quote(node.value)}", f'bytes, or "{OUTSIDE}"')
    return whole(0, STRIDE_MAX)(node)


@takes(enum=[0, 32, 64])
def handle_bits(node):
    bits = expect(node, int)
    if bits in (0, 32, 64):
        return bits
    raise Wrong(f"must be 0, 32 or 64, not {bits}",
                "the bits of one handle; 0 means that there are none")


@takes(enum=[32, 64])
def wide_or_not(node):
    bits = expect(node, int)
    if bits in (32, 64):
        return bits
    raise Wrong(f"must be 32 or 64, not {bits}", "the bits of one handle")


def identifier(what):
    @takes(type="string", pattern=f"^{IDENTIFIER.pattern}$")
    def read(node):
        word = expect(node, str)
        if IDENTIFIER.fullmatch(word) and word not in KEYWORDS:
            return word
        raise Wrong(f"must be the name of {what}, not {quote(word)}")
    return read


FUNCTION = identifier("a C function")
REGION = identifier("a region of the linker script")
# What GNU ld takes for a word of its own where a region is named.
LINKER_WORDS = set("""
    ABSOLUTE ADDR AFTER ALIGN ALIGNOF ASSERT AT BEFORE BIND BLOCK CONSTANT COPY
    DATA_SEGMENT_ALIGN DATA_SEGMENT_END DATA_SEGMENT_RELRO_END DEFINED DSECT ENTRY
    EXTERN FLOAT FORCE_COMMON_ALLOCATION GROUP HIDDEN HLL INCLUDE INFO
    INHIBIT_COMMON_ALLOCATION INPUT INSERT LD_FEATURE LENGTH LOADADDR LOG2CEIL MAP MAX
    MEMORY MIN NEXT NOCROSSREFS NOFLOAT NOLOAD ONLY_IF_RO ONLY_IF_RW ORIGIN OUTPUT
    OUTPUT_ARCH OUTPUT_FORMAT OVERLAY PHDRS PROVIDE PROVIDE_HIDDEN READONLY
    REGION_ALIAS SEARCH_DIR SECTIONS SEGMENT_START SIZEOF SIZEOF_HEADERS SPECIAL
    STARTUP SUBALIGN SYSLIB TARGET TYPE VERSION l len o org""".split())


@takes(**REGION.schema)
def region(node):
    if REGION(node) in LINKER_WORDS:
        raise Wrong("must be the name of a region of the linker script, not "
                    + quote(node.value), "ld reads that as a word of its own")
    return node.value


@takes(anyOf=[FUNCTION.schema, {"type": "object", "patternProperties":
                                {f"^{IDENTIFIER.pattern}$": FUNCTION.schema},
                                "additionalProperties": False}])
def functions(node):
    """One, or several by name."""
    if not isinstance(node.value, dict):
        return FUNCTION(node)
    for name, child in node.value.items():
        if not IDENTIFIER.fullmatch(name):
            raise Wrong(f"must have C identifiers for names, not {quote(name)}",
                        place=child.name)
    if node.value:
        return {name: FUNCTION(child) for name, child in node.value.items()}
    raise Wrong("must be at least one { name = \"FUNCTION\" }")


# The words of a type that are not a name: of numbers, and those before a name.
NUMBERS = {tuple(sorted(f"{sign} {size} {kind}".split()))
           for sign in ("", "signed", "unsigned")
           for size in ("", "short", "long", "long long") for kind in ("", "int")}
NUMBERS |= {tuple(words.split()) for words in [
    "char", "char signed", "char unsigned", "float", "double", "double long", "bool",
    "_Bool", "wchar_t", "char8_t", "char16_t", "char32_t", "_Complex double",
    "_Complex float", "void"]}
NUMBER_WORDS = {word for words in NUMBERS for word in words}
TAGS = {"struct", "union", "enum"}


def is_of_type(text):
    """Whether the keywords of C in [text] are words of a type, which an object that is
    written to may have."""
    words = re.findall(r"\w+", text)
    if text.endswith("*"):
        words = [word for word in words if word not in ("const", "volatile")]
    left = [word for word in words if word not in TAGS and word != "_Atomic"]
    named = "::" in text or TAGS.intersection(words)
    if not left or KEYWORDS.intersection(left) - (set() if named else NUMBER_WORDS):
        return False
    return tuple(sorted(left)) in NUMBERS or not NUMBER_WORDS.issuperset(left)


@takes(type="string", minLength=1)
def c_type(node):
    name = expect(node, str)
    if name == "void":
        raise Wrong("must not be void", "slots without a type have no type key")
    if C_TYPE.fullmatch(name) and is_of_type(name):
        return name
    raise Wrong(f"must be a C type such as \"struct particle\", not {quote(name)}")


AMOUNT = r"([0-9]{1,9})([KM]?)"


@takes(anyOf=[{"type": "integer", "minimum": 1, "maximum": BYTES_MAX},
              {"type": "string", "pattern": f"^{AMOUNT}$"}])
def amount(node):
    """Bytes, as a number or as a string with a unit."""
    if not isinstance(node.value, str):
        return whole(1, BYTES_MAX)(node)
    match = re.fullmatch(AMOUNT, node.value)
    if match and 0 < bytes_of(match) <= BYTES_MAX:
        return bytes_of(match)
    raise Wrong("must be an amount such as \"48K\", \"1M\" or 49152, not "
                f"{quote(node.value)}")


def bytes_of(match):
    return int(match[1]) << {"": 0, "K": 10, "M": 20}[match[2]]


FRAMES_OF = {"s": 60, "min": 3600, "h": 216000}  # Of a soak.
FOREVER = 0xFFFFFFFF


@takes(anyOf=[{"type": "integer", "minimum": 1, "maximum": FOREVER - 1},
              {"type": "string", "pattern": "^([0-9]{1,4} (s|min|h)|forever)$"}])
def life(node):
    """Units of tp_clock_now, or a string with a unit of time."""
    if not isinstance(node.value, str):
        return whole(1, FOREVER - 1)(node)
    if node.value == "forever":
        return FOREVER
    match = re.fullmatch("([0-9]{1,4}) (s|min|h)", node.value)
    if match and int(match[1]):
        return int(match[1]) * FRAMES_OF[match[2]]
    raise Wrong(f'must be a time such as "10 s", or "forever", not {quote(node.value)}')


CLASS_FIELDS = {"size": whole(ARENA_ALIGN, STRIDE_MAX), "count": whole(1, COUNT_MAX)}


@takes(type="array", items={"type": "object", "required": list(CLASS_FIELDS),
                            "properties": {name: read.schema
                                           for name, read in CLASS_FIELDS.items()},
                            "additionalProperties": False})
def class_list(node):
    """The nodes of the classes, each with a size and a count."""
    classes = expect(node, list)
    for one in classes:
        fields = expect(one, dict)
        for name in list(CLASS_FIELDS) + list(fields):
            read_class_field(one, name)
    if classes:
        return classes
    raise Wrong("must be at least one { size = 16, count = 64 }")


def read_class_field(one, name):
    field = one.value.get(name)
    if not field or name not in CLASS_FIELDS:
        raise Wrong("must be rows of { size = 16, count = 64 }",
                    place=field.name if field else one.place)
    try:
        CLASS_FIELDS[name](field)
    except Wrong as wrong:
        raise Wrong("must be rows of { size = 16, count = 64 }", f"{name} {wrong}",
                    place=field.place)


SLOTS_OR_NONE, BYTES_OR_NONE = whole(0, COUNT_MAX), whole(0, REGION_MAX)


@takes(type="array", items=SLOTS_OR_NONE.schema)
def slots_by_class(node):
    return [SLOTS_OR_NONE(item) for item in expect(node, list)]


@takes(type="array", items={"type": "integer", "minimum": 0, "maximum": STRIDE_MAX})
def part(node):
    """The offset and the size of a part of an object, in whole words."""
    numbers = [whole(0, STRIDE_MAX)(item) for item in expect(node, list)]
    if len(numbers) == 2 and numbers[1] and not any(number % 4 for number in numbers):
        return numbers
    raise Wrong("must be [offset, size], two multiples of 4")


@takes(type="array", items={"type": "string", "minLength": 1})
def type_list(node):
    types = [c_type(item) for item in expect(node, list)]
    if 2 <= len(types) <= UNION_MAX:
        return types
    raise Wrong(f"must be 2 to {UNION_MAX} types, not {len(types)}")


def names_of(what):
    """Reads a list of names of [what], a word like "pool"."""
    name = identifier(f"a {what}")

    @takes(type="array", items=name.schema)
    def read(node):
        names = [name(item) for item in expect(node, list)]
        if names and len(set(names)) == len(names):
            return names
        raise Wrong(f"must be names of {what}s, each once")
    return read


@takes(type="array", items={"type": "string", "minLength": 1})
def header_list(node):
    return [header(item) for item in expect(node, list)]


@takes(type="array", items={"type": "string", "minLength": 1})
def path_list(node):
    return [table_path(item) for item in expect(node, list)]


def table_path(node):
    path = expect(node, str)
    if path and "\0" not in path:
        return path
    raise Wrong(f"must be paths such as \"net/pools.toml\", not {quote(path)}",
                place=node.place)


def header(node):
    name = expect(node, str)
    if re.fullmatch(r"[^\s\"<>\\?][^\"<>\\?\n]*|<[^\s\"<>\\?]+>",
                    name) and name.isprintable():
        return name
    raise Wrong(f"must be names such as \"game/types.h\", not {quote(name)}",
                place=node.place)
