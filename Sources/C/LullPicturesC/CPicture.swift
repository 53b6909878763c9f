internal import CLull
public import CLullPictures
internal import IdleLoop
internal import ImageLoading
internal import LullCalls
internal import Synchronization

/// A picture with a handle: its pixels, and of a row that is still loading the work on them.
///
/// It retains itself until it is freed. Any thread may ask for its pixels while another decodes.
@safe
final class CPicture: Sendable {
    /// Pixels that C sees.
    private final class Shown: Sendable {
        let picture: Picture
        let format: lull_pixel_format
        let isPreview: Bool

        init(_ picture: Picture, _ format: lull_pixel_format, isPreview: Bool) {
            (self.picture, self.format, self.isPreview) = (picture, format, isPreview)
        }
    }

    // The pixels that nobody has asked for yet, and those that C has. A thread that stops in the
    // middle of an exchange delays nobody.
    private let next = unsafe Atomic<Unmanaged<Shown>?>(nil)
    private let current = unsafe Atomic<Unmanaged<Shown>?>(nil)
    // Of the thread that runs the load, one at a time; after that of the one that frees it.
    private(set) nonisolated(unsafe) var work: PictureWork?
    private nonisolated(unsafe) var entry: TableEntry?

    private init(_ work: PictureWork?) { unsafe self.work = work }

    /// Creates a picture of a row, and returns it with its handle.
    static func make(_ work: PictureWork) throws(StatusError) -> (CPicture, UInt) {
        let picture = CPicture(work)
        return (picture, try picture.open())
    }

    /// Creates a picture, and returns its handle.
    static func make(
        _ pixels: Picture, _ format: lull_pixel_format
    ) throws(StatusError) -> UInt {
        let picture = CPicture(nil)
        picture.show(pixels, format, isPreview: false)
        return try picture.open()
    }

    private func open() throws(StatusError) -> UInt {
        let entry = try TableEntry(of: self, LULL_KIND_PICTURE)
        unsafe self.entry = entry
        _ = unsafe Unmanaged.passRetained(self)
        return entry.handle
    }

    deinit {
        unsafe next.load(ordering: .acquiring)?.release()
        unsafe current.load(ordering: .acquiring)?.release()
    }

    /// Sets the pixels that are seen from now on.
    func show(_ picture: Picture, _ format: lull_pixel_format, isPreview: Bool) {
        let shown = unsafe Unmanaged.passRetained(Shown(picture, format, isPreview: isPreview))
        unsafe next.exchange(shown, ordering: .acquiringAndReleasing)?.release()
    }

    /// Lets go of the work, which has ended.
    func endWork() { unsafe work = nil }

    /// The pixels that are there; nil if there are none.
    var info: lull_picture_info? {
        if let fresh = unsafe next.exchange(nil, ordering: .acquiringAndReleasing) {
            unsafe current.exchange(fresh, ordering: .acquiringAndReleasing)?.release()
        }
        return unsafe current.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { shown in
            let picture = shown.picture
            let size = picture.size
            // They stay where they are as long as the picture does.
            let pixels = unsafe picture.pixels.withContiguousStorageIfAvailable {
                $0.baseAddress
            }
            return unsafe lull_picture_info(
                pixels: pixels ?? nil,
                stride: 4 * size.width, width: Int32(size.width), height: Int32(size.height),
                format: shown.format, is_damaged: picture.isDamaged ? 1 : 0,
                is_preview: shown.isPreview ? 1 : 0, reserved: 0)
        }
    }

    /// Frees the handle, and what it retains.
    func free() {
        unsafe entry?.free()
        unsafe work.take()?.cancel()
        unsafe Unmanaged.passUnretained(self).release()
    }

    /// Returns the picture that a handle names, on any thread.
    static func named(_ handle: OpaquePointer?) throws(StatusError) -> CPicture {
        unsafe try TableEntry.object(of: handle, LULL_KIND_PICTURE, anywhere: true)
    }
}

/// Gets the pixels of a picture; see lull-pictures.h.
@c @implementation
public func lull_picture_get(
    _ picture: OpaquePointer!, _ info: UnsafeMutablePointer<lull_picture_info>!, _ size: Int
) -> lull_status {
    var filled = unsafe lull_picture_info()
    unsafe fill(info, size, with: &filled)
    return status { () throws(StatusError) in
        let object = unsafe try CPicture.named(picture)
        let info = try unsafe given(info, "info")
        guard var found = unsafe object.info else { return LULL_ABSENT }
        unsafe fill(info, size, with: &found)
        return LULL_OK
    }
}

/// Frees a picture; see lull-pictures.h.
@c @implementation
public func lull_picture_free(_ picture: OpaquePointer!) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CPicture.named(picture).free()
        return LULL_OK
    }
}
