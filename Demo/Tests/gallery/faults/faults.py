#!/usr/bin/env python3
"""Hurts a gallery in every way of the table, and says of each what was done, that it hit and what held.

    faults.py --program GALLERY [--long] [--strict] [--anywhere] [--times] [ROW…]
"""

import argparse
import os
import subprocess
import sys
import threading
import time
import traceback

import case
import clocks  # noqa: F401  each of these has some rows
import crowds  # noqa: F401
import keeping  # noqa: F401
import memory  # noqa: F401
import reading  # noqa: F401
from case import Case, rows
from gallery import Failure, Skipped

# What can't be done by programs alone.
IMPOSSIBLE = {28: "needs a kernel with device mapper targets and fault injection; rows 4, 9 and 10 "
                  "do it by FUSE and strace"}


def one(number, program, is_long, inside=False):
    """Does a row here; gives an exit status."""
    place = Case(program, is_long)
    try:
        hit, held = rows[number](place)
    except Skipped as reason:
        print(reason if inside else f"{number:2} skipped  {rows[number].title}: {reason}")
        return 77
    except Failure as failure:
        print(f"{number:2} FAILED   {rows[number].title}: {failure}")
        return 1
    except Exception:
        print(f"{number:2} FAILED   {rows[number].title}: {traceback.format_exc()}")
        return 1
    finally:
        place.close()
    if inside:
        print(f"{hit} || {held}")
    else:
        print(f"{number:2} held     {rows[number].title}: {hit}. Held: {held}")
    return 0


class Run:
    """All rows, two at a time where one isn't in another's figures."""

    def __init__(self, options):
        self.options, self.lock = options, threading.Lock()
        self.counts = {0: 0, 77: 0, 1: 0}

    def do(self, number):
        began = time.monotonic()
        command = [sys.executable, __file__, "--program", self.options.program, "--one", str(number)]
        try:
            done = subprocess.run(
                command + ["--long"] * self.options.long + ["--times"] * self.options.times,
                capture_output=True, text=True, timeout=3600)
            status, text = done.returncode, done.stdout.strip() + done.stderr.strip()
        except subprocess.TimeoutExpired:
            status, text = 1, f"{number:2} FAILED   {rows[number].title}: no end after an hour"
        with self.lock:
            print(f"{text} ({time.monotonic() - began:.0f} s)", flush=True)
            self.counts[status if status in (0, 77) else 1] += 1

    def run(self, numbers):
        began = time.monotonic()
        waiting = [number for number in numbers if not rows[number].alone]

        def work():
            while True:
                with self.lock:
                    if not waiting:
                        return
                    number = waiting.pop(0)
                self.do(number)

        workers = [threading.Thread(target=work) for _ in range(self.options.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for number in numbers:
            if rows[number].alone:
                self.do(number)
        print(f"{self.counts[0]} held, {self.counts[1]} failed, {self.counts[77]} skipped, "
              f"in {time.monotonic() - began:.0f} s")
        if self.counts[1]:
            return 1
        return 1 if self.options.strict and self.counts[77] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the gallery")
    parser.add_argument("--long", action="store_true", help="longer, as for a release")
    parser.add_argument("--strict", action="store_true", help="what is skipped has failed")
    parser.add_argument("--anywhere", action="store_true", help="only what needs no tools and rights")
    parser.add_argument("--times", action="store_true",
                        help="what takes too long has failed: where nothing else runs")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    parser.add_argument("rows", type=int, nargs="*")
    options = parser.parse_args()
    options.program = os.path.realpath(options.program)
    case.judges_times = options.times
    if options.inside or options.one:
        return one(options.inside or options.one, options.program, options.long, bool(options.inside))
    numbers = options.rows or sorted(rows)
    if options.anywhere:
        numbers = [number for number in numbers if rows[number].anywhere]
    status = Run(options).run(numbers)
    if not options.rows and not options.anywhere:
        for number, reason in IMPOSSIBLE.items():
            print(f"{number:2} left out  {reason}")
    return status


if __name__ == "__main__":
    sys.exit(main())
