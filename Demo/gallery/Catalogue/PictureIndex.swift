import GalleryFiles

/// The paths of pictures by their numbers.
///
/// It's in parts, so that a copy of which little is changed shares nearly all.
struct PictureIndex: Sendable {
    private var parts: [[PictureID: FilePath]] = Array(repeating: [:], count: 256)
    /// The function that gives a path its number, if no other has it.
    private let number: @Sendable (FilePath) -> PictureID

    init(numbering number: @escaping @Sendable (FilePath) -> PictureID) {
        self.number = number
    }

    /// The path of a picture.
    subscript(id: PictureID) -> FilePath? { parts[Self.part(of: id)][id] }

    /// Gives a path its number: the next one that is free if another path has its own.
    mutating func add(_ path: FilePath) -> PictureID {
        var id = number(path)
        while self[id] != nil { id = PictureID(id.value &+ 1) }
        parts[Self.part(of: id)][id] = path
        return id
    }

    mutating func remove(_ id: PictureID) {
        parts[Self.part(of: id)][id] = nil
    }

    private static func part(of id: PictureID) -> Int { Int(id.value >> 56) }
}
