internal import Synchronization

/// What all copies of a picture that a cache has handed out hold on to.
///
/// Whoever finds it again, through a weak reference, has the picture again.
final class PictureTether: Sendable {
    let size: PixelSize
    let pixels: [UInt8]
    private let tally: LiveTally

    init(_ picture: Picture, counting tally: LiveTally) {
        size = picture.size
        pixels = picture.pixels
        self.tally = tally
        tally.add(bytes: pixels.count)
    }

    deinit {
        tally.remove(bytes: pixels.count)
    }

    /// The picture, which holds on to this as all copies do.
    var picture: Picture {
        var picture = Picture(size: size, pixels: pixels)
        picture.tether = self
        return picture
    }
}

/// How many pictures that a cache has handed out are still held, by whatever thread.
final class LiveTally: Sendable {
    private let counts = Atomic<Int>(0)
    private let sums = Atomic<Int>(0)

    var count: Int { counts.load(ordering: .relaxed) }
    var bytes: Int { sums.load(ordering: .relaxed) }

    func add(bytes: Int) {
        counts.add(1, ordering: .relaxed)
        sums.add(bytes, ordering: .relaxed)
    }

    func remove(bytes: Int) {
        counts.subtract(1, ordering: .relaxed)
        sums.subtract(bytes, ordering: .relaxed)
    }
}
