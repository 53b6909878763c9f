/// The work of storing a thumbnail or a failure record, and of the sweep that is due afterwards.
final class ThumbnailWriter: SteppedWork {
    typealias Failure = any Error

    private enum Stage: ~Copyable {
        case waiting
        case writing(DiskCacheWriter, PNGEncoder)
        case written(DiskCacheWriter)
        case sweeping
        case ended
    }

    private let picture: Picture
    private let path: String
    private let cache: DiskCache
    private let texts: [(keyword: String, text: String)]
    /// Returns whether the original is still the file that was decoded.
    private let isCurrent: () -> Bool
    private var stage = Stage.waiting

    /// Creates work that hasn't begun, to store a thumbnail with its attributes at a path in a cache.
    init(
        _ picture: Picture, at path: String, in cache: DiskCache,
        texts: [(keyword: String, text: String)], isCurrent: @escaping () -> Bool
    ) {
        self.picture = picture
        self.path = path
        self.cache = cache
        self.texts = texts
        self.isCurrent = isCurrent
    }

    func advance() throws -> Void? {
        // An error leaves the stage `ended`, and the partial file is removed.
        switch exchange(&stage, with: .ended) {
        case .waiting:
            let encoder = try PNGEncoder(picture, texts: texts)
            stage = .writing(try cache.writer(at: path), encoder)
        case .writing(var writer, var encoder):
            var piece: [UInt8] = []
            let isLast = encoder.step(into: &piece)
            try writer.append(piece)
            stage = isLast ? .written(writer) : .writing(writer, encoder)
        case .written(let writer):
            guard isCurrent() else { return () }
            try writer.commit()
            stage = .sweeping
        case .sweeping:
            if cache.stepSweep() { return () }
            stage = .sweeping
        case .ended: return ()
        }
        return nil
    }
}
