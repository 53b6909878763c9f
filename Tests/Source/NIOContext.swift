// Imports for the examples of LoopNIO, compiled with them, as Context.swift is with all others.

import IdleLoop
import LoopNIO
import NIOCore
import NIOPosix
