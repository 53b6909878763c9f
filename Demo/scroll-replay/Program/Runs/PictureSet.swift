import Foundation
import IdleLoop
import ImageLoading
import LullTesting
import ReplayTerminal
import ScrollModel
import Synchronization

/// A folder of pictures, one for each row; a list with more rows than pictures repeats them.
///
/// Decoded pictures are kept, so that several replays in one process decode each once for each
/// size. Only the files' names are read here; their content is read when they are loaded.
final class PictureSet: Sendable {
    private let files: [String]
    private let decoded = Mutex<[Request: Decoded]>([:])
    /// The costs of files by their headers, as far as they were asked for; nil for a file without.
    private let costs = Mutex<[Int: Duration?]>([:])

    /// The cost charged for decoding a picture, its previews with the shares of the steps after
    /// which they are available, and the outcome.
    fileprivate struct Decoded {
        var cost: Duration
        var previews: [(share: Double, picture: LivePicture)] = []
        var outcome: Result<any Sendable, any Error>
    }

    private struct Request: Hashable {
        let file: Int
        let targetSize: PixelSize
    }

    /// Lists the files of a folder by name, without those with a leading dot.
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

    /// Returns the file of a row's picture.
    func file(ofRow row: Int) -> String { files[row % files.count] }

    /// Returns the work of loading the rows of a list.
    func work(for list: ListLayout, clock: ReplayOptions.Clock) -> any RowWork {
        PictureWork(pictures: self, list: list, isReal: clock == .real)
    }

    /// Decodes a row's picture, once for each size, and returns it with the cost to charge.
    ///
    /// If two threads request the same picture at once, both may decode it.
    fileprivate func decode(row: Int, fitting targetSize: PixelSize) -> Decoded {
        let request = Request(file: row % files.count, targetSize: targetSize)
        if let known = decoded.withLock({ $0[request] }) { return known }
        let path = file(ofRow: row)
        var result: Decoded
        do {
            result = try PictureSet.decode(path, fitting: targetSize)
        } catch {
            result = Decoded(cost: .microseconds(100), outcome: .failure(error))
        }
        decoded.withLock { $0[request] = result }
        return result
    }

    /// Returns the cost of decoding a row's picture by its header, which is read once; nil if it has
    /// none.
    fileprivate func costHint(ofRow row: Int) -> Duration? {
        let file = row % files.count
        if let known = costs.withLock({ $0[file] }) { return known }
        let cost = (try? PictureHeader.read(files[file])).map { Self.cost(of: $0) }
        costs.withLock { $0[file] = .some(cost) }
        return cost
    }

    /// Returns the approximate cost of decoding a picture on one fast machine.
    private static func cost(of header: PictureHeader) -> Duration {
        let (bytes, pixels) = (header.fileBytes, header.size.width * header.size.height)
        let nanoseconds =
            switch header.format.cost {
            case .scaledFileBytes: 8 * Double(bytes)
            case .fileBytes(let rate): rate * Double(bytes)
            case .rawBytes(let rate):
                rate * Double(pixels * header.channels * header.bytesPerSample)
            case .pixels(let rate): rate * Double(pixels)
            }
        return .nanoseconds(Int64(nanoseconds))
    }

    private static func decode(
        _ path: String, fitting targetSize: PixelSize
    ) throws(PictureError) -> Decoded {
        let cost = cost(of: try PictureHeader.read(path))
        let decoder = PictureJob(path: path, fitting: targetSize)
        var previews: [(step: Int, picture: LivePicture)] = []
        var steps = 0
        while true {
            steps += 1
            switch try decoder.step() {
            case .more, .waiting: continue
            case .refined(let picture): previews.append((steps, LivePicture(picture)))
            case .done(let picture):
                return Decoded(
                    cost: cost,
                    previews: previews.map { (Double($0.step) / Double(steps), $0.picture) },
                    outcome: .success(LivePicture(picture)))
            }
        }
    }
}

/// The work of loading pictures for a replay's rows.
private struct PictureWork: RowWork {
    let pictures: PictureSet
    let list: ListLayout
    let isReal: Bool

    /// Returns the size of a thumbnail as high as its row, and at most as wide as a photograph of
    /// that height.
    private func targetSize(ofRow row: Int) -> PixelSize {
        let height = max(1, min(4096, list.extent(ofRowAt: row).height.rounded()))
        return PixelSize(width: Int((height * 3 / 2).rounded(.up)), height: Int(height))
    }

    func costHint(ofRow row: Int) -> Duration? { pictures.costHint(ofRow: row) }

    func begin(row: Int) -> any RowLoad {
        let targetSize = targetSize(ofRow: row)
        if isReal {
            return DecodingLoad(PictureJob(path: pictures.file(ofRow: row), fitting: targetSize))
        }
        let decoded = pictures.decode(row: row, fitting: targetSize)
        return ChargedLoad(
            cost: decoded.cost, previews: decoded.previews, outcome: decoded.outcome)
    }
}

/// The load of a picture that is decoded in lulls, step by step.
private final class DecodingLoad: RowLoad {
    private let decoder: PictureJob
    private var preview: LivePicture?

    init(_ decoder: PictureJob) {
        self.decoder = decoder
    }

    func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)? {
        repeat {
            switch try decoder.step() {
            case .more, .waiting: break
            case .refined(let picture):
                // The slice ends here, so that the preview is shown at once.
                preview = LivePicture(picture)
                return nil
            case .done(let picture): return LivePicture(picture)
            }
        } while clock.now < end
        return nil
    }

    func takePreview() -> (any Sendable)? {
        defer { preview = nil }
        return preview
    }
}
