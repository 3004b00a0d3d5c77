# SPDX-License-Identifier: MIT
"""The verbs of the command line, and what writes their files."""

import argparse
import json
import os
import re
import sys

from decoder import Unreadable
from decoder.dump import UNREADABLE, path_in, say_dump, say_history, write_core
from sbom.bill import bill

from .advice import (Advice, advise, gather, numbers_of, read_summary, rule,
                     total_lines)
from .files import new_file, old_bytes, refuse_to_replace, write_all
from .header import Header
from .join import Whole, every, load, refuse
from .measure import memory_table, placement, read_elf
from .model import STARTER, explain, explainable, schema
from .source import Linker, Source
from .toml import Trouble, did_you_mean, printable, quote
from .values import LEVELS

MARK = b"\xef\xbb\xbf"  # With which some editors begin a file.
TABLE_AND_IMAGE = "[pools.toml] fw.elf"
FILES = {".h": Header, ".c": Source, ".ld": Linker}


def depfile(targets, sources):
    return f"{' '.join(map(escape, targets))}: {' '.join(map(escape, sources))}\n"


def escape(path):
    return re.sub(r"([ #\\])", r"\\\1", path).replace("$", "$$")


def left_behind(options, contents):
    """What the run that wrote this depfile made there, and this one does not."""
    if not (os.path.isfile(options.depfile or "") and os.path.isdir(options.out)):
        return []
    rule = os.fsdecode(old_bytes(options.depfile)).partition(": ")[0]
    made = re.findall(r"(?:\\.|\S)+", rule)
    there = [os.path.join(options.out, name) for name in os.listdir(options.out)
             if re.fullmatch(r"\w+_pools\.(h|c|ld)", name)]
    return [path for path in there if escape(path) in made and path not in contents]


def do_check(options):
    config, _ = load(options.file)
    return 0 if config else 1


def show(text):
    """Names as they came, whatever their bytes, and all of it."""
    if sys.stdout is None:
        raise Trouble("standard output: error: it is closed")
    with open(sys.stdout.fileno(), "wb", closefd=False) as out:
        out.write(text.encode(errors="surrogateescape"))


def do_table(options):
    config, _ = load(options.file)
    if not config:
        return 1
    show(memory_table(Whole(config), options.checks or config.level))
    return 0


def do_schema(_):
    show(json.dumps(schema(), indent=2) + "\n")
    return 0


def do_explain(options):
    text = explain(options.word)
    if text is None:
        word = options.word.rpartition(".")[2]
        raise Trouble(f"error: there is no key {quote(options.word)}",
                      f"      = {did_you_mean(word, explainable())}")
    show(text)
    return 0


def do_init(options):
    with new_file(options.file, STARTER.encode()):
        say_lines([f"wrote {options.file}"])
    return 0


def table_and_others(names):
    """Splits [names] into the table, which may be left out, and what goes with it."""
    if names[0].endswith(".toml"):
        return names[0], names[1:]
    return "pools.toml", names


def table_and_image(options):
    """The table, None if it is wrong, and the image's path."""
    path, images = table_and_others(options.files)
    if len(images) != 1:
        options.wrong_usage("one ELF file is needed")
    return load(path)[0], images[0]


def do_map(options):
    config, image = table_and_image(options)
    if not config:
        return 1
    text, right = placement(Whole(config), read_elf(image))
    show(text)
    return 0 if right else 1


def do_advise(options):
    path, names = table_and_others(options.files)
    if not names:
        options.wrong_usage("the summary.json of a soak is needed")
    config, _ = load(path)
    if not config:
        return 1
    summaries = [read_summary(name, config) for name in names]
    advices = [advice_for(one, config.learned, summaries, options)
               for one in every(config)]
    pages = [(one.config.path, one.page()) for one in advices if one.config.rows()]
    for name, page in pages:
        show(f"{name}\n\n{page}\n" if config.included else f"{page}\n")
    if config.included:
        show("\n".join(["all tables", "", *total_lines(advices), "", ""]))
    show(rule(options.exact, options.serve))
    return apply(path, advices) if options.apply else 0


def advice_for(config, learned, summaries, options):
    """For the rows of one table of the image that the soaks saw."""
    config.learn(*learned)
    seen = gather(numbers_of(config), summaries)
    wanted = advise(config, seen, options.exact, options.serve)
    return Advice(old_bytes(config.path).decode("utf-8-sig"), config, seen, wanted)


def apply(path, advices):
    """Rewrites the numbers of all tables, if they are right with them together."""
    texts = {one.config.path: one.rewritten() for one in advices}
    if not load(path, read=lambda name: texts[name].replace("\r\n", "\n"))[0]:
        return 1
    marks = {name: old_bytes(name)[:3] for name in texts}
    write_all({name: (MARK if marks[name] == MARK else b"") + text.encode()
               for name, text in texts.items()})
    return 0


def do_dump(options):
    return say_dump(options.elf, options.ram, options.slots, say_lines)


def do_history(options):
    if options.slot is not None and not (options.of and options.slot > 0):
        options.wrong_usage("--slot is a number from 1 on, of the pool that --of names")
    return say_history(options.elf, options.ram, options.of, options.slot or 0,
                       say_lines)


def do_core(options):
    paths = [path_in(name) for name in options.ram]
    out = options.out or os.path.splitext(paths[0])[0] + ".core"
    refuse_to_replace([options.elf, *paths], [out])
    return write_core(options.elf, options.ram, out, write_all, say_lines)


def table_name(path, first):
    """As seen from the table that includes it, on whatever machine."""
    home = os.path.dirname(os.path.realpath(first))
    return os.path.relpath(os.path.realpath(path), home).replace(os.sep, "/")


def do_sbom(options):
    """The documents lie beside the image, or in --out."""
    config, image = table_and_image(options)
    if not config:
        return 1
    tables = {table_name(one.path, config.path): one.path for one in every(config)}
    generated = {name: (text.encode(), [table_name(each.path, config.path)
                                        for each in every(one)])
                 for one in every(config)
                 for name, text in made(one, one.path, one.lines).items()}
    folder = options.out or os.path.dirname(image)
    pages, notes = bill(image, options, tables, generated)
    contents = {os.path.join(folder, name): text.encode()
                for name, text in pages.items()}
    refuse_to_replace([image, options.map, *tables.values()], list(contents))
    write_all(contents)
    say_lines(notes)
    return 0


def say_lines(lines):
    show("".join(printable(line) + "\n" for line in lines))


def made(config, path, lines):
    """{name: text} of the files for [config]. The linker has one, of who includes."""
    return {f"{config.prefix}_pools{ending}": page(config, path, lines).text()
            for ending, page in FILES.items()
            if ending != ".ld" or not config.build.name}


def is_a_library_s(config):
    """Says so, if it is: then what an image includes would not be made."""
    if config.build.name:
        refuse(config, config.build.node.value["name"],
               "an image is built of this table, and it has a library's name",
               "leave it out, or include this table in that of the image")
    return bool(config.build.name)


def do_generate(options):
    config, _ = load(options.file, lock=options.lock)
    if not config or (options.image and is_a_library_s(config)):
        return 1
    configs = [config, *config.included] if options.libraries else [config]
    contents = {os.path.join(options.out, name): text.encode() for one in configs
                for name, text in made(one, one.path, one.lines).items()}
    if options.list:
        show(";".join(map(os.path.basename, contents)) + "\n")
        return 0
    if options.check:
        return compare(contents, options.file)
    tables = [one.path for one in every(config)]
    old = left_behind(options, contents)
    refuse_to_replace(tables, [*contents, *filter(None, [options.depfile])])
    if options.depfile:
        contents[options.depfile] = os.fsencode(depfile(list(contents), tables))
    try:
        os.makedirs(options.out, exist_ok=True)
    except OSError as problem:
        raise Trouble(f"{options.out}: error: cannot make this folder: "
                      f"{problem.strerror}")
    write_all(contents)
    for path in old:
        os.remove(path)
    return 0


def compare(contents, source):
    """0 if every file is what would be written."""
    stale = [path for path, data in contents.items() if old_bytes(path) != data]
    for path in stale:
        sys.stderr.write(f"{path}: error: not what {source} says; generate it again\n")
    return 1 if stale else 0


class CommandLine(argparse.ArgumentParser):
    def print_help(self, file=None):
        show(self.format_help())


def command_line():
    parser = CommandLine(prog="tidepool.py", description="Turns pools.toml into C.")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(name, run, says):
        made = verbs.add_parser(name, allow_abbrev=False, help=says, description=says)
        made.set_defaults(run=run, wrong_usage=made.error, in_trouble=1)
        return made

    generate = verb("generate", do_generate,
                    "write tp_pools.h, tp_pools.c and tp_pools.ld")
    generate.add_argument("--out", metavar="DIR", required=True, help="where they go")
    generate.add_argument("--depfile", metavar="FILE",
                          help="also write a rule for make")
    generate.add_argument("--libraries", action="store_true",
                          help="also write the files of the tables it includes")
    generate.add_argument("--image", action="store_true",
                          help="refuse a table that is a library's")
    generate.add_argument("--list", action="store_true",
                          help="write nothing, print the names of the files")
    generate.add_argument("--check", action="store_true",
                          help="write nothing, fail if they are out of date")
    generate.add_argument("--lock", choices=("primask", "none"),
                          help="of rows that name none, in place of [build]'s")
    check_ = verb("check", do_check, "say what is wrong")
    table = verb("table", do_table, "print what every pool takes")
    table.add_argument("--checks", choices=LEVELS,
                       help="the check level; by default that of [build]")
    for reader in (generate, check_, table):
        reader.add_argument("file", metavar="pools.toml")
    init = verb("init", do_init, "write a commented table to start from")
    init.add_argument("file", metavar="pools.toml", nargs="?", default="pools.toml")
    verb("schema", do_schema, "print a JSON Schema of the table, for editors")
    explain_ = verb("explain", do_explain, "say what a key or a table means")
    explain_.add_argument("word", metavar="KEY",
                          help="such as full, pools, or pools.full")
    map_ = verb("map", do_map, "compare the table with what the linker did")
    map_.add_argument("files", metavar="FILE", nargs="+", help=TABLE_AND_IMAGE)
    advised = verb("advise", do_advise, "recommend sizes from what soaks saw")
    advised.add_argument("files", metavar="FILE", nargs="+",
                         help="[pools.toml] summary.json ...")
    advised.add_argument("--exact", action="store_true",
                         help="as large as the highest use, with nothing to spare")
    advised.add_argument("--serve", action="store_true",
                         help="with room for the requests that went unmet, too")
    advised.add_argument("--apply", action="store_true",
                         help="write them into the table")
    dump = verb("dump", do_dump, "print what the allocators in a dump of RAM hold")
    dump.add_argument("--slots", metavar="POOL", help="each slot of this one alone")
    told = verb("history", do_history, "print the last events that a firmware kept")
    told.add_argument("--of", metavar="POOL", default="", help="of this pool alone")
    told.add_argument("--slot", metavar="N", type=int,
                      help="of this slot of it alone")
    core = verb("core", do_core, "make an ELF core of a dump, which GDB opens")
    core.add_argument("--out", metavar="FILE", help="by default the dump's name, .core")
    sbom = verb("sbom", do_sbom, "write the bill of materials of an image")
    sbom.add_argument("files", metavar="FILE", nargs="+", help=TABLE_AND_IMAGE)
    sbom.add_argument("--map", metavar="FILE", required=True,
                      help="what the linker wrote by -Wl,-Map=FILE")
    sbom.add_argument("--folder", metavar="DIR", default=".",
                      help="where the linker ran; by default here")
    sbom.add_argument("--build", metavar="DIR",
                      help="what its objects lie below; by default the same")
    sbom.add_argument("--ninja", metavar="FILE", default="ninja",
                      help="the ninja that built it, if one did")
    sbom.add_argument("--compiler", metavar="TEXT", default="",
                      help="for an image whose .comment was taken out")
    sbom.add_argument("--out", metavar="DIR", help="where they go; by default beside"
                      " the image")
    for reader in (dump, told, core):
        reader.set_defaults(in_trouble=UNREADABLE)
        reader.add_argument("elf", metavar="fw.elf")
        reader.add_argument("ram", metavar="ram.bin[@ADDRESS]", nargs="+",
                            help="raw, Intel HEX, S-record, ELF core or hex in text"
                            + "; registers as .json" * (reader is core))
    return parser


def main(arguments=None):
    in_trouble = 1
    try:
        options = command_line().parse_args(arguments)
        in_trouble = options.in_trouble
        return options.run(options)
    except Unreadable as trouble:
        sys.stderr.write(f"error: {trouble}\n")
        return UNREADABLE
    except Trouble as trouble:
        sys.stderr.write("".join(printable(line) + "\n" for line in trouble.args))
    except OSError as problem:
        name = problem.filename or "standard output"
        sys.stderr.write(printable(f"{name}: error: {problem.strerror}") + "\n")
    return in_trouble
