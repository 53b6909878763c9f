#!/usr/bin/env python3
"""A file system over a folder. While the file ARMED is there, reads of files with "hang" in their names
take four seconds, and those with "eio" break off after 4096 bytes. Says each time that it did so.

    hurtfs.py SOURCE PLACE ARMED
"""

import errno
import os
import sys
import time

from fusepy import FUSE, FuseOSError, Operations

HANG = 4


class Hurt(Operations):
    def __init__(self, source, armed):
        self.source, self.armed = source, armed

    def _of(self, path):
        return self.source + path

    def getattr(self, path, fh=None):
        try:
            facts = os.lstat(self._of(path))
        except OSError as error:
            raise FuseOSError(error.errno) from None
        names = ("st_mode", "st_ino", "st_size", "st_uid", "st_gid", "st_nlink", "st_mtime",
                 "st_ctime", "st_atime")
        return {name: getattr(facts, name) for name in names}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self._of(path))]

    def readlink(self, path):
        return os.readlink(self._of(path))

    def open(self, path, flags):
        return os.open(self._of(path), os.O_RDONLY)

    def release(self, path, fh):
        os.close(fh)

    def read(self, path, size, offset, fh):
        if os.path.exists(self.armed):
            if "hang" in path:
                print("HANG", path, flush=True)
                time.sleep(HANG)
            elif "eio" in path and offset + size > 4096:
                print("EIO", path, flush=True)
                raise FuseOSError(errno.EIO)
        return os.pread(fh, size, offset)


if __name__ == "__main__":
    source, place, armed = sys.argv[1:]
    FUSE(Hurt(source, armed), place, foreground=True, ro=True, allow_other=os.geteuid() == 0)
