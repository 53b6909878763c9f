import Glibc
import IsolatedDecoding

// Not `exit`: nothing that runs at a program's end is of use to one that's shut in.
_exit(HelperProgram.run())
