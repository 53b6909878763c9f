import LullLibC
import IsolatedDecoding

// Not `exit`: handlers that run at exit are of no use in the sandbox.
_exit(HelperProgram.run())
