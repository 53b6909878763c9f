import GalleryFiles
import IdleLoop
import ImageLoading

@testable import GalleryPictures

extension PicturePipeline where Recipe == ThumbnailRecipe {
    /// A source of thumbnails of files beneath a folder, each at the place that `path` gives.
    convenience init(
        on loop: MainLoop, folder: PictureFolder, cache: ThumbnailDiskCache? = nil,
        pool: WorkerPool? = nil, decoding: PictureDecoding = .inProcess,
        limits: PictureLimits = PictureLimits(fileBytes: 32 << 20),
        path: @escaping (PictureKey) -> FilePath?
    ) {
        self.init(
            ThumbnailRecipe(cache: cache), on: loop, pool: pool, decoding: decoding,
            limits: limits
        ) { key in
            path(key.picture).map { folder.origin(of: key.picture, at: $0) }
        }
    }
}
