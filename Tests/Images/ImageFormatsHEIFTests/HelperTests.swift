import Foundation
import IdleLoop
import ImageLoading
import IsolatedDecoding
import Testing

@Suite struct `A HEIC or AVIF decoded in a helper` {
    @Test func `is the same as decoded here, or fails as it does here`() throws {
        let bench = try HelperBench()
        // The first has colours of its own, for which more is opened than for others.
        var files = [try displayP3(file("plain.avif"))]
        files += try [
            "plain.heic", "ten.heic", "odd.heic", "alpha.heic", "thumbnail.heic", "plain.avif",
            "ten.avif", "twelve.avif", "alpha.avif", "premultiplied.avif", "grid.avif",
            "thumbnail.avif", "turned.avif", "grey.avif",
        ].map { try file($0) }
        let whole = try file("thumbnail.heic")
        files += stride(from: 1, to: whole.count / 2, by: 41).map { Array(whole.prefix($0)) }
        for (index, bytes) in files.enumerated() {
            for side in [8, 1000] {
                let targetSize = PixelSize(width: side, height: side)
                let here = Result { () throws(PictureError.Reason) in
                    try decode(bytes, fitting: targetSize, thumbnail: true)
                }.mapError { IsolatedError.picture(PictureError(file: "bytes", reason: $0)) }
                #expect(try bench.outcome(of: bytes, fitting: targetSize) == here, "\(index)")
                #expect(here.isSuccess == (index < 15), "\(index)")
            }
        }
        #expect(bench.decoder.statistics.started == 1)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// A loop with an isolated decoder, which waits for what becomes of pictures.
final class HelperBench {
    private let loop: MainLoop
    let decoder: IsolatedDecoder

    /// Slow machines and sanitizers have time enough.
    init() throws {
        loop = try MainLoop()
        var configuration = IsolatedDecoder.Configuration()
        configuration.program =
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "lull-heif-picture-helper").path
        configuration.deadline = .seconds(100)
        configuration.startDeadline = .seconds(100)
        configuration.idleTime = .seconds(1000)
        decoder = IsolatedDecoder(on: loop, configuration: configuration)
    }

    deinit {
        decoder.close()
        loop.close()
    }

    /// The end of a picture.
    func outcome(
        of bytes: [UInt8], fitting targetSize: PixelSize
    ) throws -> Result<Picture, IsolatedError> {
        var outcome: Result<Picture, IsolatedError>?
        decoder.decode(.bytes(bytes), named: "bytes", fitting: targetSize) { [loop] in
            outcome = $0
            loop.stop()
        }
        while outcome == nil { try loop.run() }
        return try #require(outcome)
    }
}
