public import GalleryFiles
internal import Glibc
public import IdleLoop
public import ImageLoading

/// The source of thumbnails.
public typealias ThumbnailSource = PicturePipeline<ThumbnailRecipe>

extension PicturePipeline where Recipe == ThumbnailRecipe {
    /// A source of thumbnails of the files beneath a folder.
    ///
    /// - Parameters:
    ///   - loop: The loop of the loader.
    ///   - folder: The folder.
    ///   - cache: The thumbnails that outlive the program; nil for none.
    ///   - pool: The loader's workers, who read files.
    ///   - decoding: The process that decodes.
    ///   - decoders: The kinds of pictures that are read.
    ///   - limits: The most that a file may cost.
    ///   - costs: The cost of decoding, as far as that is known.
    ///   - path: Gives the place of a picture; nil if no picture has that key.
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
            throw PictureError.Reason(error)
        }
        throw .replaced
    }
}

extension PictureError.Reason {
    /// The reason why a file couldn't be opened.
    init(_ error: FileError) {
        self =
            switch error {
            case .system(_, ENOENT), .system(_, ENOTDIR): .missing
            // What a socket answers, and a device without hardware.
            case .system(_, ENXIO): .notARegularFile
            case .system("openat2", let errno): .cannotOpen(errno: errno)
            case .system(_, let errno): .cannotRead(errno: errno)
            }
    }
}
