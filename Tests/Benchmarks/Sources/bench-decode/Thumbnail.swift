import CDecoders
import Glibc
import ImageLoading

/// What a decoder came to.
///
/// One that goes only part of the way gives no pixels.
@safe struct Thumbnail: ~Copyable {
    private let foreign: thumbnail
    private let picture: Picture?

    /// One of Lull's.
    init(_ picture: Picture) {
        self.picture = picture
        unsafe foreign = thumbnail()
    }

    /// Another library's, from now on owned by this.
    init(owning foreign: thumbnail) {
        picture = nil
        unsafe self.foreign = foreign
    }

    deinit { unsafe free(foreign.pixels) }

    /// The pixels, copied; nil if there are none.
    var copy: Picture? {
        if let picture { return picture }
        guard let pixels = unsafe foreign.pixels else { return nil }
        let size = unsafe PixelSize(width: Int(foreign.width), height: Int(foreign.height))
        let bytes = unsafe UnsafeBufferPointer(start: pixels, count: 4 * size.width * size.height)
        return unsafe Picture(size: size, pixels: Array(bytes))
    }
}
