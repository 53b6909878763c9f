import Foundation
import IdleLoop
import ImageLoading
import LullTesting
import ScrollModel
import Synchronization

/// A folder of pictures, one for each row; more rows than pictures use them again.
///
/// What a picture decodes to is kept, so that several replays in one process decode it once for
/// each size. Only files by name are looked at here; what they hold is seen when they are loaded.
final class Album: Sendable {
    private let files: [String]
    private let decoded = Mutex<[Request: Decoded]>([:])

    /// What decoding a picture is charged with, and what came of it.
    fileprivate typealias Decoded = (cost: Duration, outcome: Result<any Sendable, any Error>)

    private struct Request: Hashable {
        let file: Int
        let box: PixelSize
    }

    /// The files of a folder by name, those with a leading dot left out.
    init(_ folder: String) throws(TraceError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw TraceError(
                kind: .unreadable, file: folder, line: nil, found: "no folder that can be read",
                expected: "a folder of pictures")
        }
        files = names.filter { !$0.hasPrefix(".") }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        .map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
        guard !files.isEmpty else {
            throw TraceError(
                kind: .unreadable, file: folder, line: nil, found: "no files",
                expected: "a folder of pictures")
        }
    }

    /// The file of a row's picture.
    func file(ofRow row: Int) -> String { files[row % files.count] }

    /// What loading the rows of a list takes.
    func work(for list: ListLayout, clock: ReplayOptions.Clock) -> any RowWork {
        PictureWork(album: self, list: list, isReal: clock == .real)
    }

    /// Decodes a row's picture, once for each size, and says what that is charged with.
    ///
    /// Two threads that want the same at once may both decode it.
    fileprivate func decode(row: Int, fitting box: PixelSize) -> Decoded {
        let request = Request(file: row % files.count, box: box)
        if let known = decoded.withLock({ $0[request] }) { return known }
        let path = file(ofRow: row)
        let result: Decoded
        do {
            let header = try ImageHeader.read(path)
            let picture = try ImageDecoder(path: path, fitting: box).decode()
            result = (header.estimatedCost, .success(picture))
        } catch {
            result = (.microseconds(100), .failure(error))
        }
        decoded.withLock { $0[request] = result }
        return result
    }
}

/// Pictures as the work of a replay's rows.
private struct PictureWork: RowWork {
    let album: Album
    let list: ListLayout
    let isReal: Bool

    /// A thumbnail as high as its row, and at most as wide as a photograph of that height.
    private func box(ofRow row: Int) -> PixelSize {
        let height = max(1, min(4096, list.extent(ofRowAt: row).height.rounded()))
        return PixelSize(width: Int((height * 3 / 2).rounded(.up)), height: Int(height))
    }

    func begin(row: Int) -> any RowLoad {
        let box = box(ofRow: row)
        if isReal {
            return DecodingLoad(ImageDecoder(path: album.file(ofRow: row), fitting: box))
        }
        let (cost, outcome) = album.decode(row: row, fitting: box)
        return TimedLoad(cost: cost, outcome: outcome)
    }
}

/// A picture that is decoded in lulls, step by step.
private final class DecodingLoad: RowLoad {
    private let decoder: ImageDecoder

    init(_ decoder: ImageDecoder) {
        self.decoder = decoder
    }

    func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)? {
        repeat {
            if case .done(let picture) = try decoder.step() { return picture }
        } while clock.now < end
        return nil
    }
}
