import ImageLoading

/// A box of a file: a name of four letters, and its content.
struct Box {
    let name: String
    /// The bytes of the box, with its header.
    let bytes: ArraySlice<UInt8>
    let content: ArraySlice<UInt8>

    /// A reader of the content.
    var reader: BoxReader { BoxReader(content) }

    /// Returns the version and flags of the box, and a reader of the content after them.
    func versioned() throws(PictureError.Reason) -> (version: Int, flags: Int, reader: BoxReader) {
        var reader = reader
        let number = try reader.number(4)
        return (number >> 24, number & 0xFFFFFF, reader)
    }
}

/// A reader of numbers and boxes, one after the other, from untrusted bytes.
struct BoxReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Reads `count` bytes.
    mutating func bytes(_ count: Int) throws(PictureError.Reason) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .corrupt("a part that ends too early") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a number of up to eight bytes.
    mutating func number(_ count: Int) throws(PictureError.Reason) -> Int {
        let value = try bytes(count).reduce(0) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw .corrupt("a number beyond all files") }
        return number
    }

    /// Reads four letters.
    mutating func name() throws(PictureError.Reason) -> String {
        String(decoding: try bytes(4), as: UTF8.self)
    }

    /// Reads the next box.
    mutating func box() throws(PictureError.Reason) -> Box {
        let start = rest
        let head = try BoxHead(&self, of: start.count)
        let content = try bytes(head.length - head.size)
        return Box(name: head.name, bytes: start.prefix(head.length), content: content)
    }

    /// Reads all remaining boxes.
    mutating func boxes() throws(PictureError.Reason) -> [Box] {
        var boxes: [Box] = []
        while !rest.isEmpty { boxes.append(try box()) }
        return boxes
    }
}

/// The header of a box: its name and length.
struct BoxHead {
    /// The maximum number of bytes in a header.
    static let maxSize = 16

    let name: String
    /// The number of bytes in the box, with the header.
    let length: Int
    /// The number of bytes in the header.
    let size: Int

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - reader: A reader at the start of the box.
    ///   - rest: The number of bytes from there to the end of the enclosing box or file.
    /// - Throws: `corrupt` if there is no valid header.
    init(_ reader: inout BoxReader, of rest: Int) throws(PictureError.Reason) {
        let short = try reader.number(4)
        name = try reader.name()
        switch short {
        case 0: (length, size) = (rest, 8)
        case 1: (length, size) = (try reader.number(8), 16)
        default: (length, size) = (short, 8)
        }
        guard length >= size else { throw .corrupt("a box \(name) of \(length) bytes") }
    }
}
