import Foundation
import IdleLoop
import ImageLoading
import IsolatedDecoding
import Workloads

/// D9: what a picture costs that another process decodes, from the call to the picture.
struct Isolation {
    private let loop: MainLoop
    private let helper: IsolatedDecoder

    /// The program that decodes, as `run` builds it.
    private static let program = ProcessInfo.processInfo.environment["LULL_PICTURE_HELPER"]

    /// The nanoseconds that are spent on a picture, as far as 200 rounds need them.
    private static let time: UInt64 = isQuick ? 100_000_000 : 3_000_000_000

    static func decoder(on loop: MainLoop) throws -> IsolatedDecoder {
        guard let program else { exit(69) }
        var configuration = IsolatedDecoder.Configuration()
        configuration.program = program
        return IsolatedDecoder(on: loop, configuration: configuration)
    }

    init() throws {
        loop = try MainLoop()
        helper = try Self.decoder(on: loop)
    }

    func measure(_ pictures: [TestPicture]) throws {
        for picture in pictures {
            var (here, over): ([Double], [Double]) = ([], [])
            let start = now()
            for round in 0..<200 where round < 5 || now() - start < Self.time {
                // In turn first and last, and beside each other: the machine has its moods.
                let isFirst = round.isMultiple(of: 2)
                var times = [try isFirst ? timeHere(picture) : timeThere(picture)]
                times.append(try isFirst ? timeThere(picture) : timeHere(picture))
                if !isFirst { times.reverse() }
                here.append(times[0])
                over.append(times[1] - times[0])
            }
            setContender("lull")
            report("D9", picture.name, "in_process_ms", percentile(0.5, of: here))
            report("D9", picture.name, "over_ms", percentile(0.5, of: over))
        }
        helper.close()
        loop.close()
    }

    private func targetSize(_ picture: TestPicture) -> PixelSize {
        // Where the thumbnail in a camera's file is large enough.
        let side = picture.name.hasSuffix("exif") ? 160 : 256
        return PixelSize(width: side, height: side)
    }

    private func timeHere(_ picture: TestPicture) throws -> Double {
        let start = now()
        _ = try PictureJob(.file(picture.path), fitting: targetSize(picture)).decode()
        return Double(now() - start) / 1e6
    }

    private func timeThere(_ picture: TestPicture) throws -> Double {
        let start = now()
        var outcome: Result<Picture, IsolatedError>?
        helper.decode(.file(picture.path), named: picture.path, fitting: targetSize(picture)) {
            [loop] in
            outcome = $0
            loop.stop()
        }
        while outcome == nil { try loop.run() }
        _ = try outcome?.get()
        return Double(now() - start) / 1e6
    }
}
