import CDecoders
import ImageFormatsHEIF
import ImageLoading

/// A way from a file to a thumbnail.
struct Decoder {
    /// Why there is no figure of it, which is no failure of the run.
    enum Absence: Error {
        /// A library isn't installed.
        case missing(String)
        /// It doesn't read such files, or doesn't do what is measured.
        case incapable(String)
    }

    /// What it is called in the figures.
    let name: String
    /// How far, on average over all values, its thumbnail may be from another's.
    let tolerance: Double
    /// Whether it tells nothing of what is transparent.
    let ignoresAlpha: Bool
    /// Makes it ready; throws `Absence`.
    let open: () throws -> Void
    /// Decodes a file to fit a square.
    let decode: (_ path: String, _ targetSize: Int) throws -> Thumbnail

    private struct Failure: Error, CustomStringConvertible {
        let decoder: String
        let path: String

        var description: String { "\(decoder) could not decode \(path)" }
    }

    /// One in C.
    init(_ decoder: CDecoders.decoder) {
        let name = unsafe String(cString: decoder.name)
        self.name = name
        tolerance = unsafe decoder.tolerance
        ignoresAlpha = unsafe decoder.is_straight
        open = {
            if let missing = unsafe decoder.open?() {
                throw Absence.missing(unsafe String(cString: missing))
            }
        }
        decode = { path, targetSize in
            var result = unsafe thumbnail()
            guard unsafe decoder.decode(path, Int32(targetSize), &result) else {
                // Those that read any kind have a part for each, which may not be installed.
                let isUniversal = unsafe decoder.open != nil
                throw isUniversal
                    ? Absence.incapable("does not read it")
                    : Failure(decoder: name, path: path)
            }
            return unsafe Thumbnail(owning: result)
        }
    }

    private init(
        lull name: String, tolerance: Double = 0,
        _ decode: @escaping (PictureJob) throws(PictureError) -> Picture?
    ) {
        self.name = name
        self.tolerance = tolerance
        ignoresAlpha = false
        open = {}
        self.decode = { path, targetSize in
            let size = PixelSize(width: targetSize, height: targetSize)
            var picture: Picture?
            do throws(PictureError) {
                let options = PictureJob.Options(decoders: .standard + [HEIFDecoder.self])
                picture = try decode(PictureJob(path: path, fitting: size, options: options))
            } catch {
                guard case .unsupported(let what) = error.reason else { throw error }
                throw Absence.incapable("does not read \(what)")
            }
            guard let picture else { throw Absence.incapable("gives no picture before the last") }
            return Thumbnail(picture)
        }
    }

    /// Lull, to the end.
    static var lull: Decoder {
        Decoder(lull: "lull") { decoder throws(PictureError) in try decoder.decode() }
    }

    /// Lull where it may take the thumbnail that a camera has put into the file.
    static var lullByThumbnail: Decoder {
        Decoder(lull: "lull", tolerance: 8) { decoder throws(PictureError) in
            try decoder.decode()
        }
    }

    /// Lull, to the first picture that can be shown.
    static var lullFirst: Decoder {
        Decoder(lull: "lull-first", tolerance: 8) { decoder throws(PictureError) in
            while true {
                switch try decoder.step() {
                case .more, .waiting: continue
                case .refined(let picture): return picture
                case .done: return nil
                }
            }
        }
    }
}

extension [Decoder] {
    static var jpeg: [Decoder] {
        unsafe [.lull] + written(huffman, turbojpeg, turbojpeg_scaled, libjpeg) + universal
    }

    static var progressive: [Decoder] {
        let written = unsafe written(huffman, turbojpeg, libjpeg, libjpeg_first)
        return [.lull, .lullFirst] + written + universal
    }

    static var withThumbnail: [Decoder] {
        unsafe [.lullByThumbnail] + written(turbojpeg, exif) + universal
    }

    static var png: [Decoder] {
        unsafe [.lull] + written(libpng, libpng_rgba, inflation) + universal
    }

    static var webP: [Decoder] { unsafe [.lull] + written(libwebp, libwebp_full) + universal }

    static var heic: [Decoder] { unsafe [.lull] + written(libheif) }

    static var avif: [Decoder] { unsafe [.lull] + written(libavif) }

    static var gif: [Decoder] { unsafe [.lull] + written(giflib) + universal }

    /// Libraries for all kinds of pictures.
    private static var universal: [Decoder] { unsafe written(vips, gdk_pixbuf, imlib2) }

    private static func written(_ decoders: CDecoders.decoder...) -> [Decoder] {
        unsafe decoders.map { unsafe Decoder($0) }
    }
}
