import Foundation
import IdleLoop
import ImageLoading
import LullTesting
import ScrollModel
import Synchronization

/// A folder of pictures, one for each row; a list with more rows than pictures repeats them.
///
/// On virtual time each picture is decoded once, to know whether it can be; its cost is that of its
/// header. Only the files' names are read here; their content is read when they are loaded.
final class PictureSet: Sendable {
    private let files: [String]
    private let decoded = Mutex<[Int: Decoded]>([:])
    /// The costs of files by their headers, as far as they were asked for; nil for a file without.
    private let costs = Mutex<[Int: Duration?]>([:])

    /// The cost charged for decoding a picture, and the outcome.
    fileprivate struct Decoded {
        var cost: Duration
        var outcome: Result<any Sendable, any Error>
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

    /// Decodes a row's picture, once, and returns the cost to charge.
    ///
    /// If two threads request the same picture at once, both may decode it.
    fileprivate func decode(row: Int) -> Decoded {
        let file = row % files.count
        if let known = decoded.withLock({ $0[file] }) { return known }
        var result: Decoded
        do {
            result = try PictureSet.decode(files[file])
        } catch {
            result = Decoded(cost: .microseconds(100), outcome: .failure(error))
        }
        decoded.withLock { $0[file] = result }
        return result
    }

    /// Returns the cost of decoding a row's picture by its header, which is read once; nil if it has
    /// none.
    fileprivate func costHint(ofRow row: Int) -> Duration? {
        let file = row % files.count
        if let known = costs.withLock({ $0[file] }) { return known }
        let cost = (try? PictureHeader.read(.file(files[file]))).map { Self.cost(of: $0) }
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

    private static func decode(_ path: String) throws(PictureError) -> Decoded {
        let cost = cost(of: try PictureHeader.read(.file(path)))
        let decoder = PictureJob(.file(path), fitting: PixelSize(width: 120, height: 80))
        while true {
            if case .done = try decoder.step() {
                return Decoded(cost: cost, outcome: .success(true))
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
        if isReal {
            let file = pictures.file(ofRow: row)
            return DecodingLoad(PictureJob(.file(file), fitting: targetSize(ofRow: row)))
        }
        let decoded = pictures.decode(row: row)
        return TimedLoad(cost: decoded.cost, outcome: decoded.outcome)
    }
}

/// The load of a picture that is decoded in lulls, step by step.
private final class DecodingLoad: RowLoad {
    private let decoder: PictureJob

    init(_ decoder: PictureJob) {
        self.decoder = decoder
    }

    func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)? {
        repeat {
            if case .done = try decoder.step() { return true }
        } while clock.now < end
        return nil
    }
}
