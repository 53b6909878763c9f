import GalleryFiles
import Glibc
import ImageLoading

/// The result of reading one picture's header.
enum HeaderReading: Hashable, Sendable {
    /// The size of the upright picture, and when it was taken; nil if the file doesn't contain them.
    case read(PixelSize?, taken: Int? = nil)
    /// A temporary error.
    case failed
    /// The machine is out of descriptors or memory.
    case starved

    /// Reads a header; the disk may be slow.
    init(of picture: PictureKey, at path: FilePath, in folder: PictureFolder) {
        do throws(FileError) {
            let file = try folder.open(path)
            guard file.facts.kind == .regular else {
                self = .read(nil)
                return
            }
            // The file was replaced, and will be listed again.
            guard file.facts.stamp == picture.stamp else {
                self = .failed
                return
            }
            do throws(PictureError) {
                let opened = OpenedFile(owning: file.takeDescriptor())
                let header = try PictureHeader.read(
                    .opened { opened }, named: path.text, decoders: .gallery)
                self = .read(header.orientedSize, taken: header.dateTaken)
            } catch {
                self.init(error.reason)
            }
        } catch {
            switch error {
            case .system(_, let errno): self.init(.cannotOpen(errno: errno))
            }
        }
    }

    private init(_ reason: PictureError.Reason) {
        switch reason {
        case .outOfMemory, .cannotOpen(EMFILE), .cannotOpen(ENFILE), .cannotOpen(ENOMEM):
            self = .starved
        default: self = reason.isTransient ? .failed : .read(nil)
        }
    }
}

/// The size of a picture, and when it was taken, as its header states it; nil if it states none.
struct ReadHeader: Hashable, Sendable {
    let key: PictureKey
    let pixels: PixelSize?
    var taken: Int?
}
