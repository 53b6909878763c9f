import Glibc
import ImageLoading
import TerminalPictures

/// A file for a thumbnail, in the format of its extension.
struct ThumbnailFile {
    /// The file format of the thumbnail.
    enum Kind: String {
        case png, ppm
    }

    private let path: String
    private let kind: Kind

    /// Creates a file of the format of its extension; nil if that is unknown.
    init?(_ path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            let kind = Kind(rawValue: name[name.index(after: dot)...].lowercased()),
            !path.utf8.contains(0)
        else { return nil }
        self.path = path
        self.kind = kind
    }

    /// Writes a picture; until all is written, the old content stays.
    func write(_ picture: Picture) throws(OutputFile.Failure) {
        guard let bytes = bytes(of: picture) else { throw OutputFile.Failure(code: ENOMEM) }
        try OutputFile(path).write(bytes)
    }

    private func bytes(of picture: Picture) -> [UInt8]? {
        switch kind {
        case .png:
            guard var encoder = try? PNGEncoder(picture) else { return nil }
            var file: [UInt8] = []
            while !encoder.step(into: &file) {}
            return file
        case .ppm:
            return Array("P6\n\(picture.size.width) \(picture.size.height)\n255\n".utf8)
                + picture.opaqueBytes(over: .white)
        }
    }
}
