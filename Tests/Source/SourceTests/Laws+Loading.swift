import DeferredLoading
import HTTPLoading
import IdleLoop
import ImageLoading
import IsolatedDecoding
import SourceChecks

extension Law {
    static let loading: [Law] = [
        Law(
            "DeferredLoading/Backoff.swift",
            "there's nothing to try again before the first failure",
            never: "a loader asks it after a failure, which it has counted"),
        Law("DeferredLoading/DeferredLoader.swift", "a count is not negative") {
            _ = try loader { $0.suspended = -1 }
        },
        Law("DeferredLoading/DeferredLoader.swift", "a fetch may take some time") {
            _ = try loader { $0.fetchTimeout = .zero }
        },
        Law(
            "DeferredLoading/DeferredLoader.swift", "a loader has a place for an operation"
        ) { _ = try loader { $0.operations = 0 } },
        Law("DeferredLoading/DeferredLoader.swift", "a loader keeps at least one value") {
            _ = try loader { $0.capacity = 0 }
        },
        Law("DeferredLoading/DeferredLoader.swift", "a loader keeps some bytes") {
            _ = try loader { $0.byteLimit = 0 }
        },
        Law("DeferredLoading/DeferredLoader.swift", "a loader keeps some bytes") {
            try loader { $0.byteLimit = 1 }.limitBytes(to: 0)
        },
        Law(
            "DeferredLoading/DeferredLoader.swift",
            "a loader without a limit of bytes doesn't count them"
        ) { try loader().limitBytes(to: 1) },
        Law("DeferredLoading/DeferredLoader.swift", "a share is from 0 to 1") {
            try loader().trim(to: 2)
        },
        Law("DeferredLoading/DeferredLoader.swift", "waits aren't negative") {
            _ = try loader { $0.backoff.first = .nanoseconds(-1) }
        },
        Law("DeferredLoading/EverythingNear.swift", "a reach is finite and not negative") {
            _ = EverythingNear(screens: .nan)
        },
        Law("DeferredLoading/FairShare.swift", "a weight is one or more") {
            _ = try loader().list(weight: 0) { _, _ in }
        },
        Law(
            "DeferredLoading/LandingRows.swift", "a threshold and a margin aren't negative"
        ) { _ = LandingRows(margin: -1) },
        Law(
            "DeferredLoading/LoadLife.swift", "only what is in the queue has a job",
            never: "a job's end is told once, and a key is in the queue until then"),
        Law("DeferredLoading/WorkPrice.swift", "a price is finite and not negative") {
            _ = WorkPrice(secondsInView: -1)
        },
        Law("HTTPLoading/HTTPLoader.swift", "servers live on the machine's clock") {
            _ = HTTPLoader(on: try MainLoop(clock: .virtual(VirtualTime())))
        },
        Law("HTTPLoading/HTTPLoaderConfiguration.swift", "a body may have some bytes") {
            try loading { $0.byteLimit = 0 }
        },
        Law("HTTPLoading/HTTPLoaderConfiguration.swift", "a loader has a connection") {
            try loading { $0.connections = 0 }
        },
        Law("HTTPLoading/HTTPLoaderConfiguration.swift", "a count is not negative") {
            try loading { $0.redirects = -1 }
        },
        Law(
            "HTTPLoading/HTTPLoaderConfiguration.swift", "addresses behind a proxy can't be checked"
        ) {
            try loading {
                $0.addresses = .publicOnly
                $0.proxy = .environment
            }
        },
        Law("HTTPLoading/HTTPLoaderConfiguration.swift", "a speed is not negative") {
            try loading { $0.lowSpeedLimit = -1 }
        },
        Law("HTTPLoading/HTTPLoaderConfiguration.swift", "a transfer may take some time") {
            try loading { $0.timeLimit = .zero }
        },
        Law(
            "HTTPLoading/HTTPLoaderConfiguration.swift",
            "connections aren't kept for less than no time"
        ) { try loading { $0.keepAlive = .seconds(-1) } },
        Law("ImageLoading/FailureCache.swift", "a memory has room for one failure") {
            _ = FailureCache(capacity: 0)
        },
        Law("ImageLoading/FailureCache.swift", "times grow") {
            _ = FailureCache.Times(first: .seconds(2), longest: .seconds(1))
        },
        Law(
            "ImageLoading/FrameDecoder.swift", "a picture's decoder drops what has ended",
            never: "the decoder of the picture ends with it, and asks it no more"),
        Law(
            "ImageLoading/PictureJob.swift", "a decoder that has ended has a result",
            never: "a step after the end gives the result again"),
        Law(
            "ImageLoading/Picture.swift", "a picture has four bytes for each of its pixels"
        ) { _ = Picture(size: PixelSize(width: 1, height: 1), pixels: []) },
        Law(
            "ImageLoading/RowResizer.swift",
            "a row resizer shrinks pictures of at most 65,535 pixels a side",
            never: "a picture is fitted in its target size, never scaled up, and has limits"),
        Law(
            "ImageLoading/RowResizer.swift",
            "a row resizer takes as many rows, and as long ones, as its source has",
            never: "decoders hand it the rows of the size that it was made for"),
        Law(
            "ImageLoading/RowResizer.swift",
            "a row resizer takes values of 8 bits, or deep ones",
            never: "decoders hand it the kind of rows that they have announced"),
        Law(
            "ImageLoading/RowSums.swift", "all rows of a picture are of one length",
            never: "a row resizer has looked at each row's length"),
        Law(
            "ImageLoading/JPEGEncoder.swift", "a JPEG has 1 to 65,500 pixels a side"
        ) { _ = try JPEGEncoder(empty, quality: 85) },
        Law(
            "ImageLoading/JPEGEncoder.swift", "a JPEG's quality is from 1 to 100"
        ) { _ = try JPEGEncoder(dot, quality: 0) },
        Law("ImageLoading/PNGEncoder.swift", "a PNG has at least one pixel") {
            _ = try PNGEncoder(empty)
        },
        Law(
            "ImageLoading/PNGEncoder.swift",
            "the texts in a PNG are ASCII, and keywords have 1 to 79 characters"
        ) { _ = try PNGEncoder(dot, texts: [(keyword: "", text: "")]) },
        Law("ImageLoading/CheckedLayout.swift", "an entry has at most 2^30 bytes") {
            _ = CheckedLayout(limit: -1)
        },
        Law("ImageLoading/DiskCache.swift", "a disk cache is under an absolute path") {
            _ = DiskCache(in: "a", layout: CheckedLayout())
        },
        Law(
            "ImageLoading/DiskCacheBound.swift", "a disk cache's bound isn't negative"
        ) { _ = DiskCacheBound(bytes: -1) },
        Law(
            "ImageFormatsHEIF/DecodedTile.swift", "a tile is written within its strip",
            never: "a strip is as wide as its tiles, and as high as a part of one"),
        Law(
            "IsolatedDecoding/IsolatedDecoder+Configuration.swift",
            "a helper decodes at least one picture"
        ) { try decoder { $0.picturesPerHelper = 0 } },
        Law(
            "IsolatedDecoding/IsolatedDecoder+Configuration.swift",
            "a helper may take some memory"
        ) { try decoder { $0.memory = 0 } },
        Law(
            "IsolatedDecoding/IsolatedDecoder+Configuration.swift",
            "a helper's times aren't negative"
        ) { try decoder { $0.deadline = .seconds(-1) } },
        Law(
            "IsolatedDecoding/IsolatedDecoder+Configuration.swift",
            "an isolated decoder has at least one helper"
        ) { try decoder { $0.helpers = 0 } },
        Law(
            "IsolatedDecoding/IsolatedDecoder+Configuration.swift",
            "at least one picture can wait for a helper"
        ) { try decoder { $0.waiting = 0 } },
        Law(
            "IsolatedDecoding/IsolatedDecoder.swift",
            "virtual time doesn't wait for a helper process"
        ) { _ = IsolatedDecoder(on: try MainLoop(clock: .virtual(VirtualTime()))) },
        Law(
            "IsolatedDecoding/Message.swift", "a message has one number for its text",
            never: "requests and replies have fewer numbers, which are written down"),
    ]

    private struct Rows: LoadSource {
        func load(_ row: Int, fetched: Never?) throws -> any Load<Int> {
            throw CancellationError()
        }
    }

    private static func loader(
        _ change: (inout LoaderConfiguration) -> Void = { _ in }
    ) throws -> DeferredLoader<Int, Int> {
        var configuration = LoaderConfiguration()
        change(&configuration)
        let loop = try MainLoop(clock: .virtual(VirtualTime()))
        return DeferredLoader(
            queue: IdleQueue(on: loop), source: Rows(), configuration: configuration)
    }

    private static func loading(_ change: (inout HTTPLoaderConfiguration) -> Void) throws {
        var configuration = HTTPLoaderConfiguration()
        change(&configuration)
        _ = HTTPLoader(on: try MainLoop(), configuration: configuration)
    }

    private static func decoder(_ change: (inout IsolatedDecoder.Configuration) -> Void) throws {
        var configuration = IsolatedDecoder.Configuration()
        change(&configuration)
        _ = IsolatedDecoder(on: try MainLoop(), configuration: configuration)
    }

    private static var empty: Picture { Picture(size: PixelSize(width: 0, height: 0), pixels: []) }
    private static var dot: Picture {
        Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
    }
}
