/// Finds a chunk of a WebP, hopping from chunk to chunk.
enum WebPChunkWalker {
    /// An animation has a chunk for each of its pictures.
    private static let maxChunks = 1000

    /// Where in the file the EXIF notes are, if its first chunk says that there are any.
    static func exif(of file: ImageFile) -> Range<Int>? {
        guard let head = try? FileWindow.bytes(of: file, at: 0, count: 30), head.count == 30,
            name(head[0..<4]) == "RIFF", name(head[8..<16]) == "WEBPVP8X", head[20] & 8 != 0
        else { return nil }
        // What the file says of its own length counts if the file is at least as long.
        let end = min(file.byteCount, 8 + number(head[4..<8]))
        var offset = 12
        var window = FileWindow()
        window.skip(offset)
        for _ in 0..<maxChunks {
            var head: [UInt8] = []
            for _ in 0..<8 {
                guard let byte = try? window.byte(of: file) else { return nil }
                head.append(byte)
            }
            let length = number(head[4...])
            let next = offset + 8 + length + length % 2
            guard offset + 8 <= end else { return nil }
            if name(head[..<4]) == "EXIF" {
                return offset + 8..<min(offset + 8 + length, end)
            }
            guard next < end else { return nil }
            window.skip(next - offset - 8)
            offset = next
        }
        return nil
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
