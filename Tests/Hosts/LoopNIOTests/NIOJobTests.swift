#if NIO
import LoopNIO
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

struct NIOJobTests {
    @Test func `it begins`() throws {
        let loop = EmbeddedEventLoop()
        let guest = try MainLoop(on: loop)
        var ran = 0
        guest.inbox.post { _ in }
        guest.schedule(after: .zero) { ran += 1 }
        loop.run()
        #expect(ran == 1)
        guest.close()
    }
}
#endif
