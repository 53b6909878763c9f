import IdleLoop
import LoopNIO
import NIOPosix

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let eventLoop = group.next()
try eventLoop.submit { try MainLoop(on: eventLoop).close() }.wait()
try group.syncShutdownGracefully()
