public import GalleryFiles
internal import Glibc
public import ImageLoading

/// The source of thumbnails.
public typealias ThumbnailSource = PicturePipeline<ThumbnailRecipe>

extension PictureFolder {
    /// Returns the origin of a picture's bytes: its file, if it is still the version of the
    /// key.
    public func origin(of key: PictureKey, at path: FilePath) -> PictureOrigin {
        .opened { () throws(PictureError.Reason) in
            OpenedFile(owning: try self.openPicture(path, of: key).takeDescriptor())
        }
    }

    /// Opens a picture's file, if it is still the version of the key.
    private func openPicture(
        _ path: FilePath, of key: PictureKey
    ) throws(PictureError.Reason) -> OpenFile {
        do throws(FileError) {
            let file = try open(path)
            if file.facts.stamp == key.stamp { return file }
        } catch {
            switch error {
            case .system(_, ENOTDIR): throw .missing
            case .system(_, let errno): throw .cannotOpen(errno: errno)
            }
        }
        throw .replaced
    }
}
