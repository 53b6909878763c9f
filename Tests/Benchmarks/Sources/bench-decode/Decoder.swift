import CDecoders
import ImageFormatsHEIF
import ImageLoading

/// A way from a file to a thumbnail.
struct Decoder {
    /// Why there is no figure of it, which is no failure of the run.
    struct Absence: Error {
        /// What it doesn't do: it doesn't read such files, or not what is measured.
        let what: String
    }

    /// What it is called in the figures.
    let name: String
    /// How far, on average over all values, its thumbnail may be from another's.
    let tolerance: Double
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
        decode = { path, targetSize in
            var result = unsafe thumbnail()
            guard unsafe decoder.decode(path, Int32(targetSize), &result) else {
                throw Failure(decoder: name, path: path)
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
        self.decode = { path, targetSize in
            let size = PixelSize(width: targetSize, height: targetSize)
            var picture: Picture?
            do throws(PictureError) {
                var options = PictureJob.Options()
                options.decoders = .standard + [HEIFDecoder.self]
                picture = try decode(PictureJob(.file(path), fitting: size, options: options))
            } catch {
                guard case .unsupported(let what) = error.reason else { throw error }
                throw Absence(what: "does not read \(what)")
            }
            guard let picture else { throw Absence(what: "gives no picture before the last") }
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
        unsafe [.lull] + written(huffman, turbojpeg, turbojpeg_scaled, libjpeg)
    }

    static var progressive: [Decoder] {
        let written = unsafe written(huffman, turbojpeg, libjpeg, libjpeg_first)
        return [.lull, .lullFirst] + written
    }

    static var withThumbnail: [Decoder] {
        unsafe [.lullByThumbnail] + written(turbojpeg, exif)
    }

    static var png: [Decoder] {
        unsafe [.lull] + written(libpng, libpng_rgba, inflation)
    }

    static var webP: [Decoder] { unsafe [.lull] + written(libwebp, libwebp_full) }

    static var heic: [Decoder] { unsafe [.lull] + written(libheif) }

    static var avif: [Decoder] { unsafe [.lull] + written(libavif) }

    static var gif: [Decoder] { unsafe [.lull] + written(giflib) }

    private static func written(_ decoders: CDecoders.decoder...) -> [Decoder] {
        unsafe decoders.map { unsafe Decoder($0) }
    }
}
