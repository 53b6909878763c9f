/// Finds a chunk of a WebP that is not of its picture, hopping from chunk to chunk.
enum WebPChunkWalker {
    /// An animation has a chunk for each of its pictures.
    private static let maxChunks = 1000

    /// Where in the file the EXIF notes are, if its first chunk says that there are any.
    static func exif(of file: PictureFile) -> Range<Int>? {
        let head = (try? file.bytes(at: 4, count: 4)) ?? []
        // What the file says of its own length counts if the file is at least as long.
        let end = min(file.byteCount, head.reversed().reduce(0) { $0 << 8 | Int($1) } + 8)
        guard end > 12 else { return nil }
        var chunks = WebPChunks(of: file, range: 12..<end)
        guard let first = try? chunks.next(), first.name == "VP8X",
            let flags = try? chunks.bytes(of: first, count: 1), flags[0] & 8 != 0
        else { return nil }
        for _ in 0..<maxChunks {
            guard let chunk = try? chunks.next() else { return nil }
            if chunk.name == "EXIF" { return chunk.content }
        }
        return nil
    }
}
