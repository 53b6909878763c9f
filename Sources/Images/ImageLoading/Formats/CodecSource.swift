import CLullPictureCodecs
import LullLibC

extension PictureCodecSource {
    /// Creates a source from a part of a file; the owner of the codec must retain the file.
    init(_ file: PictureFile, range: Range<Int>) {
        unsafe self.init(
            read: { file, offset, room, count in
                guard let file = unsafe file, let room = unsafe room else { return -Int64(EFAULT) }
                let picture = unsafe Unmanaged<PictureFile>.fromOpaque(file).takeUnretainedValue()
                let buffer = unsafe UnsafeMutableRawBufferPointer(start: room, count: Int(count))
                var bytes = unsafe buffer.mutableBytes
                do throws(PictureError.Reason) {
                    return Int64(try picture.read(at: Int(offset), into: &bytes))
                } catch {
                    if picture.isStarved { return -Int64(EAGAIN) }
                    guard case .cannotRead(let errno) = error, errno != EAGAIN else {
                        return -Int64(EIO)
                    }
                    return -Int64(errno)
                }
            },
            file: Unmanaged.passUnretained(file).toOpaque(),
            take: { size in
                let block = unsafe PicturePool.shared.take(Int(size), isTemporary: true)
                return unsafe PictureCodecMemory(
                    start: block?.baseAddress, size: Int64(block?.count ?? 0))
            },
            put: { memory in
                unsafe PicturePool.shared.put(
                    UnsafeMutableRawBufferPointer(start: memory.start, count: Int(memory.size)))
            },
            offset: Int64(range.lowerBound), end: Int64(min(range.upperBound, file.end)))
    }
}

extension PictureCodecLimits {
    init(_ limits: PictureLimits) {
        self.init(
            memory: Int64(limits.decoderMemory), scans: Int32(clamping: limits.scans),
            warnings: Int32(clamping: limits.warnings))
    }
}

extension PictureCodecFrame {
    init(_ frame: WebPFrame) {
        self.init(
            width: Int32(frame.size.width), height: Int32(frame.size.height),
            x: Int32(frame.x), y: Int32(frame.y),
            canvas_width: Int32(frame.canvas.width), canvas_height: Int32(frame.canvas.height),
            lossless: frame.isLossless, has_alpha_plane: frame.hasAlphaPlane)
    }
}
