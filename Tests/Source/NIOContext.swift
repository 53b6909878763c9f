// What the examples of LoopNIO import and don't say. It's compiled with them, as Context.swift is with
// all others.

import IdleLoop
import LoopNIO
import NIOCore
import NIOPosix
