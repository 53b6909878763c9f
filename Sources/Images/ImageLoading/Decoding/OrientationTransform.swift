/// An orientation transform that makes a picture upright, some pixels at a time.
///
/// A picture may be as large as the requested target size: 64 MB for 4096 by 4096 pixels.
struct OrientationTransform: ~Copyable {
    /// The number of pixels in a step, which takes less than 0.1 ms.
    static let grain = 8192

    private let source: PictureBuffer
    private let size: PixelSize
    private let damage: PictureError.Reason?
    private var pixels: PictureBuffer
    /// The index in the source of the pixel at the top left, and the distances from there to the
    /// sources of its neighbours to the right and below, in pixels.
    private let origin: Int
    private let right: Int
    private let down: Int
    private var (x, y) = (0, 0)

    init(_ picture: Picture, orientation: PictureOrientation) {
        source = picture.pixels
        damage = picture.damage
        let (width, height) = (picture.size.width, picture.size.height)
        size = orientation.swapsSides ? PixelSize(width: height, height: width) : picture.size
        let corner = (right: width - 1, bottom: width * (height - 1))
        (origin, right, down) =
            switch orientation {
            case .upright: (0, 1, width)
            case .mirrored: (corner.right, -1, width)
            case .halfTurn: (corner.bottom + corner.right, -1, -width)
            case .flipped: (corner.bottom, 1, -width)
            case .transposed: (0, width, 1)
            case .quarterTurn: (corner.bottom, -width, 1)
            case .transversed: (corner.bottom + corner.right, -width, -1)
            case .threeQuarterTurn: (corner.right, width, -1)
            }
        pixels = PictureBuffer(capacity: source.count)
    }

    /// Whether all pixels have been moved.
    var isComplete: Bool { pixels.count == source.count }

    /// Returns the upright picture, once it is complete.
    consuming func picture() -> Picture { Picture(size: size, pixels: pixels, damage: damage) }

    /// Moves the next pixels.
    mutating func step() {
        var left = Self.grain
        while left > 0, !isComplete {
            let count = min(left, size.width - x)
            append(count, from: origin + y * down + x * right)
            left -= count
            x += count
            if x == size.width { (x, y) = (0, y + 1) }
        }
    }

    /// Appends pixels of one row.
    private mutating func append(_ count: Int, from first: Int) {
        let (bytes, right) = (source, 4 * right)
        pixels.append(addingCapacity: 4 * count) { output in
            let source = bytes.span
            var index = 4 * first
            for _ in 0..<count {
                for channel in 0..<4 { output.append(source[index + channel]) }
                index += right
            }
        }
    }
}
