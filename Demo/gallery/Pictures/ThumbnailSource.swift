public import GalleryFiles
internal import Glibc
public import IdleLoop
public import ImageLoading

/// The source of thumbnails.
public typealias ThumbnailSource = PicturePipeline<ThumbnailRecipe>

extension PicturePipeline where Recipe == ThumbnailRecipe {
    /// A source of thumbnails of files beneath a folder, each at the place that `path` gives.
    public convenience init(
        on loop: MainLoop, folder: PictureFolder, cache: ThumbnailDiskCache? = nil,
        pool: WorkerPool? = nil, decoding: PictureDecoding = .inProcess,
        decoders: PictureDecoders = .standard,
        limits: PictureLimits = PictureLimits(fileBytes: 32 << 20),
        costs: DecodingCosts = DecodingCosts(), path: @escaping (PictureKey) -> FilePath?
    ) {
        self.init(
            ThumbnailRecipe(cache: cache), on: loop, pool: pool, decoding: decoding,
            decoders: decoders, limits: limits, costs: costs
        ) { key in
            path(key.picture).map { path in
                .opened { () throws(PictureError.Reason) in
                    try folder.openPicture(path, of: key.picture)
                }
            }
        }
    }
}

extension PictureFolder {
    /// Opens a picture's file, if it's still the one that the key stands for.
    fileprivate func openPicture(
        _ path: FilePath, of key: PictureKey
    ) throws(PictureError.Reason) -> OpenedFile {
        do throws(FileError) {
            let file = try open(path)
            if file.facts.stamp == key.stamp { return OpenedFile(owning: file.takeDescriptor()) }
        } catch {
            switch error {
            case .system(_, ENOTDIR): throw .missing
            case .system(_, let errno): throw .cannotOpen(errno: errno)
            }
        }
        throw .replaced
    }
}
