/// Writes one thumbnail, or the note of a failure, and then does what upkeep is due.
final class EntryWriter: SteppedWork {
    typealias Failure = any Error

    func advance() throws -> Void? { try step() ? () : nil }

    /// How far it has come, with what it holds there.
    private enum Stage: ~Copyable {
        case waiting
        case writing(EntryFile, PNGEncoder)
        case written(EntryFile)
        case stored
        case ended
    }

    private let cache: ThumbnailCache
    private let entry: ThumbnailEntry
    private let picture: Picture
    private var bytes = 0
    private var stage = Stage.waiting
    /// Whether the entry is where it belongs, and nothing but upkeep is left; or it was given up.
    private(set) var isSettled = false

    init(_ entry: ThumbnailEntry, _ picture: Picture, for cache: ThumbnailCache) {
        self.cache = cache
        self.entry = entry
        self.picture = picture
    }

    func step() throws(ThumbnailError) -> Bool {
        // What throws leaves `ended` behind, and the unfinished file removed.
        do throws(ThumbnailError) {
            return try advance()
        } catch {
            cache.noteTrouble()
            throw error
        }
    }

    private func advance() throws(ThumbnailError) -> Bool {
        switch exchange(&stage, with: .ended) {
        case .waiting:
            let file = try EntryFile(in: entry.folder)
            stage = .writing(file, try encoder())
        case .writing(var file, var encoder):
            var piece: [UInt8] = []
            let isLast = encoder.step(into: &piece)
            try file.append(piece)
            bytes += piece.count
            stage = isLast ? .written(file) : .writing(file, encoder)
        case .written(var file):
            isSettled = true
            // What was decoded may have become another picture meanwhile.
            guard FileStamp(ofFile: entry.source) == entry.stamp else { return true }
            try file.appear(as: entry.uri.thumbnailName)
            cache.noteStored(bytes: bytes)
            stage = .stored
        case .stored:
            if cache.stepUpkeep() { return true }
            stage = .stored
        case .ended: return true
        }
        return false
    }

    private func encoder() throws(ThumbnailError) -> PNGEncoder {
        do throws(PictureError.Reason) {
            return try PNGEncoder(picture, texts: entry.texts)
        } catch {
            throw .outOfMemory
        }
    }
}
