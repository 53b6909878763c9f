import IdleLoop
import LoopNIO
import NIOPosix

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let isAdopted = try group.next().submit { try MainLoop(on: group.next()).isAdopted }.wait()
print(isAdopted)
