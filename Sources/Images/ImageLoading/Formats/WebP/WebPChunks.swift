/// An iterator over the chunks of a WebP file, which reads only their names and lengths.
struct WebPChunks {
    struct Chunk {
        let name: String
        /// The offset of the chunk, which begins with its name.
        let start: Int
        /// The range of its content, at most to the end of the file.
        let content: Range<Int>
    }

    private let file: PictureFile
    private let end: Int
    private var position: Int

    init(of file: PictureFile, range: Range<Int>) {
        self.file = file
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns the next chunk.
    ///
    /// - Throws: `truncated` if the file ends before it.
    mutating func next() throws(PictureError.Reason) -> Chunk {
        guard end - position >= 8 else { throw .truncated(rowsDecoded: 0, of: 0) }
        let head = try file.bytes(at: position, count: 8)
        guard head.count == 8 else { throw .truncated(rowsDecoded: 0, of: 0) }
        let name = String(decoding: head[..<4], as: UTF8.self)
        let length = head[4...].littleEndian
        let content = position + 8..<min(end, position + 8 + length)
        defer { position = min(end, position + 8 + length + length & 1) }
        return Chunk(name: name, start: position, content: content)
    }

    /// Moves back, so that a chunk is the next one again.
    mutating func stepBack(to chunk: Chunk) { position = chunk.start }

    /// Returns the first bytes of a chunk.
    ///
    /// - Throws: An error if there are fewer.
    func bytes(of chunk: Chunk, count: Int) throws(PictureError.Reason) -> [UInt8] {
        let bytes = try file.bytes(at: chunk.content.lowerBound, count: count)
        guard bytes.count == count, chunk.content.count >= count else {
            throw chunk.content.upperBound < end
                ? .corrupt("a WebP chunk \(chunk.name) that is too short")
                : .truncated(rowsDecoded: 0, of: 0)
        }
        return bytes
    }
}
