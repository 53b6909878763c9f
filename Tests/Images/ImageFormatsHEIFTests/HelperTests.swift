import Foundation
import IdleLoop
import ImageLoading
import IsolatedDecoding
import TestSupport
import Testing

@Suite struct `A HEIC or AVIF decoded in a helper` {
    @Test func `is the same as decoded here`() throws {
        let bench = try HelperBench()
        for name in [
            "plain.heic", "ten.heic", "odd.heic", "alpha.heic", "thumbnail.heic", "plain.avif",
            "ten.avif", "twelve.avif", "alpha.avif", "premultiplied.avif", "grid.avif",
            "thumbnail.avif", "turned.avif", "grey.avif",
        ] {
            for side in [8, 100, 1000] {
                let targetSize = PixelSize(width: side, height: side)
                let bytes = try file(name)
                let here = try decode(bytes, fitting: targetSize, thumbnail: true)
                #expect(
                    try bench.outcome(of: bytes, fitting: targetSize) == .success(here), "\(name)")
            }
        }
        #expect(bench.decoder.statistics.started == 1)
    }

    @Test func `may have colours of its own, though it is the first`() throws {
        let bench = try HelperBench()
        let targetSize = PixelSize(width: 100, height: 100)
        let bytes = try displayP3(file("plain.avif"))
        let picture = try decode(bytes, fitting: targetSize)
        #expect(try bench.outcome(of: bytes, fitting: targetSize) == .success(picture))
        #expect(try decode(file("plain.avif"), fitting: targetSize) != picture)
        #expect(bench.decoder.statistics.started == 1)
    }

    @Test func `fails as it does here, and never ends the helper`() throws {
        let bench = try HelperBench()
        let bytes = try file("thumbnail.heic")
        let targetSize = PixelSize(width: 100, height: 100)
        for count in stride(from: 1, to: bytes.count / 2, by: 41) {
            let part = Array(bytes.prefix(count))
            let error = #expect(throws: PictureError.Reason.self) { try decode(part) }
            let reason = try #require(error)
            #expect(
                try bench.outcome(of: part, fitting: targetSize)
                    == .failure(.picture(PictureError(file: "bytes", reason: reason))))
        }
        #expect(bench.decoder.statistics.started == 1)
    }

    @Test(arguments: seeds(0..<2))
    func `gives an error or some picture, whatever is changed`(seed: UInt64) throws {
        let bench = try HelperBench()
        var random = SplitMix64(seed: seed)
        let targetSize = PixelSize(width: 50, height: 50)
        for name in ["thumbnail.heic", "grid.avif"] {
            let bytes = try file(name)
            for _ in 0..<100 {
                var damaged = bytes
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = .random(in: 0...255, using: &random)
                _ = try bench.outcome(of: damaged, fitting: targetSize)
            }
        }
        #expect(bench.decoder.statistics.started == 1)
    }
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
