import Hummingbird
import IdleLoop
import ImageLoading
import Logging
import NIOCore
import NIOPosix

/// Where thumbnails are made.
enum Work: String, CaseIterable {
    case lull, lulls, threadpool, handler
}

/// A server of one event loop: GET /healthz, and GET /thumbnail/NUMBER.
struct Server {
    let work: Work
    let photos: [String]

    /// Runs until the task is cancelled; `isRunning` is called with the port.
    func run(port: Int, _ isRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.next()
        let thumbnails: any Thumbnails =
            switch work {
            case .lull: try await LullThumbnails.make(on: eventLoop, lanes: .automatic)
            case .lulls: try await LullThumbnails.make(on: eventLoop, lanes: .none)
            case .threadpool: ThreadPoolThumbnails()
            case .handler: HandlerThumbnails()
            }
        let router = Router()
        router.get("healthz") { _, _ in "ok" }
        router.get("thumbnail/:number") { [photos] _, context in
            let number = try context.parameters.require("number", as: Int.self)
            // Another size each time round, so that nothing comes from a cache.
            let (round, index) = max(0, number).quotientAndRemainder(dividingBy: photos.count)
            let side = 256 + round % 256
            let picture = try await thumbnails.picture(
                PictureRequest(photos[index], fitting: PixelSize(width: side, height: side)))
            return Response(
                status: .ok, headers: [.contentType: "image/bmp"],
                body: ResponseBody(byteBuffer: ByteBuffer(bitmap: picture)))
        }
        var logger = Logger(label: "thumbnail-server")
        logger.logLevel = .critical
        let server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { await isRunning($0.localAddress?.port ?? port) },
            eventLoopGroupProvider: .shared(group), logger: logger)
        // Handlers run on the event loop's thread: a request has no other thread to wait for.
        try await withTaskExecutorPreference(EventLoopExecutor(on: eventLoop)) {
            try await server.run()
        }
    }
}

/// An executor of tasks on an event loop's thread.
private final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension ByteBuffer {
    /// Creates a bitmap file of a picture, which browsers show.
    init(bitmap picture: Picture) {
        self.init()
        let (header, bytes) = (14 + 108, picture.pixels.count)
        writeString("BM")
        writeInteger(UInt32(header + bytes), endianness: .little)
        writeInteger(0 as UInt32)
        // A header of version 4, of which the rest is zero: rows from the top, and the places of
        // red, green, blue and alpha in a pixel.
        let fields = [
            header, 108, picture.size.width, -picture.size.height, 1 | 32 << 16, 3, bytes, 0, 0, 0,
            0, 0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000,
        ]
        for field in fields {
            writeInteger(UInt32(truncatingIfNeeded: field), endianness: .little)
        }
        writeRepeatingByte(0, count: header - readableBytes)
        writeBytes(picture.pixels)
    }
}
