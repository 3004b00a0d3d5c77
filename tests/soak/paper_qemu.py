# SPDX-License-Identifier: MIT
"""A QEMU made of paper: takes the real one's arguments, and PLAY says how the
firmware behaves: well, badly (a fault), on (until stopped), not at all,
at odds (an audit disagrees), twice (it restarts), at a level that nobody knows;
or that there is no room for a checkpoint.
"""

import json
import os
import sys
import threading
import time

import paper


def main(arguments):
    if "--version" in arguments:
        print("QEMU emulator version 0.0 (made of paper)")
        return 0
    play = os.environ.get("PLAY", "well")
    chardev = arguments[arguments.index("-chardev") + 1]
    serial = chardev.split("path=")[1].split(",")[0]
    words = arguments[arguments.index("-semihosting-config") + 1]
    values = dict(word.split("=")[1:] for word in words.split(",")
                  if word.count("=") == 2)
    with open(serial, "wb", buffering=0) as file:
        return PLAYS[play](file, int(values["frames"]), int(values["seed"]))


def well(file, frames, seed):
    file.write(paper.healthy_run(frames, seed=seed))
    return 0


def badly(file, frames, seed):
    file.write(paper.hello(frames, seed) + paper.healthy_sample(600)
               + paper.fault(paper.POISON))
    return 1


def on(file, frames, seed):
    file.write(paper.hello(frames, seed))
    for frame in range(60, frames, 60):
        file.write(paper.healthy_sample(frame))
        time.sleep(0.02)


def at_odds(file, frames, seed):
    file.write(paper.hello(frames, seed) + paper.healthy_sample(600)
               + paper.audit("live is 3, not 4"))
    for frame in range(660, frames, 60):
        file.write(paper.healthy_sample(frame))
        time.sleep(0.02)
    file.write(paper.healthy_sample(frames) + paper.done(frames))
    return 0


def twice(file, frames, seed):
    """Starts again after ten seconds, and would go on for ever."""
    while True:
        file.write(paper.hello(frames, seed))
        for frame in range(60, 601, 60):
            file.write(paper.healthy_sample(frame))
            time.sleep(0.02)


def of_level_9(file, frames, seed):
    file.write(paper.healthy_run(frames, seed=seed, checks=9))
    return 0


def no_room(file, frames, seed):
    threading.Thread(target=refuse_to_save, daemon=True).start()
    on(file, frames, seed)


def refuse_to_save():
    for line in sys.stdin:
        question = json.loads(line)
        refused = "savevm" in str(question["arguments"])
        print(json.dumps({"id": question["id"], "return":
                          "Error: No space left on device" if refused else ""}),
              flush=True)


def not_at_all(_file, _frames, _seed):
    print("qemu-system-arm: warning: never mind", file=sys.stderr)
    print("qemu-system-arm: could not load kernel", file=sys.stderr)
    return 134


PLAYS = {"well": well, "badly": badly, "on": on, "not at all": not_at_all,
         "at odds": at_odds, "twice": twice, "no room": no_room,
         "of level 9": of_level_9}

if __name__ == "__main__":
    sys.exit(main(sys.argv))
