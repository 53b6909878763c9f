import GalleryFiles

/// The paths of pictures by their numbers.
///
/// It is divided into parts, so that a copy with few changes shares nearly all of them.
struct PictureIndex: Sendable {
    private var parts: [[PictureID: FilePath]] = Array(repeating: [:], count: 256)
    /// The function that returns a path's preferred number.
    private let number: @Sendable (FilePath) -> PictureID

    init(numbering number: @escaping @Sendable (FilePath) -> PictureID) {
        self.number = number
    }

    /// Returns the path of a picture.
    subscript(id: PictureID) -> FilePath? { parts[Self.part(of: id)][id] }

    /// Assigns a number to a path: its preferred one, or the next that is free.
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
