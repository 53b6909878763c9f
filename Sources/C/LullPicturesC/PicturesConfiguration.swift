internal import CLull
public import CLullPictures
internal import IdleLoop
internal import ImageLoading
internal import IsolatedDecoding
internal import LullCalls
internal import LullLibC

/// Fills options with the defaults; see lull-pictures.h.
@c @implementation
public func lull_pictures_options_init(
    _ options: UnsafeMutablePointer<lull_pictures_options>!, _ size: Int
) {
    let limits = PictureLimits()
    var defaults = unsafe lull_pictures_options()
    unsafe defaults.size = size
    unsafe defaults.file_bytes = Int64(limits.fileBytes)
    unsafe defaults.pixels = Int64(limits.pixels)
    unsafe defaults.decoder_memory = Int64(limits.decoderMemory)
    unsafe defaults.time = limits.time.wholeNanoseconds
    unsafe defaults.cache_bytes = Int64(LULL_NONE)
    unsafe defaults.cache_files = Int64(LULL_NONE)
    unsafe defaults.format = LULL_PIXELS_RGBA_PREMULTIPLIED
    unsafe fill(options, size, with: &defaults)
}

/// The configuration of pictures that C's options describe.
struct PicturesConfiguration {
    let limits: PictureLimits
    let format: lull_pixel_format
    let store: ThumbnailCache?
    /// The helpers; nil to decode in this process.
    let helpers: IsolatedDecoder.Configuration?

    init(_ options: lull_pictures_options) throws(StatusError) {
        var limits = PictureLimits()
        limits.fileBytes = try unsafe Self.count(options.file_bytes, "file_bytes")
        limits.pixels = try unsafe Self.count(options.pixels, "pixels")
        limits.decoderMemory = try unsafe Self.count(options.decoder_memory, "decoder_memory")
        try unsafe require(options.time > 0, "options->time", "isn't more than 0")
        limits.time = unsafe .nanoseconds(options.time)
        self.limits = limits
        format = unsafe options.format
        try require(
            0...LULL_PIXELS_BGRA_PREMULTIPLIED.rawValue ~= format.rawValue, "options->format",
            "is none of lull_pixel_format")
        let bound = DiskCacheBound(
            bytes: try unsafe Self.limit(options.cache_bytes, "cache_bytes"),
            count: try unsafe Self.limit(options.cache_files, "cache_files"))
        store = try unsafe Self.text(options.cache, "cache") { folder throws(StatusError) in
            try require(folder.hasPrefix("/"), "options->cache", "isn't an absolute path")
            return ThumbnailCache(in: folder, bound: bound)
        }
        let count = unsafe options.helpers
        try require(0...64 ~= count, "options->helpers", "isn't 0 to 64")
        helpers = try unsafe Self.text(options.helper, "helper") { program throws(StatusError) in
            try require(program.contains("/"), "options->helper", "is no path")
            var helpers = IsolatedDecoder.Configuration()
            helpers.program = program
            if count > 0 { helpers.helpers = Int(count) }
            return helpers
        }
    }

    private static func count(_ value: Int64, _ name: String) throws(StatusError) -> Int {
        try require(value > 0, "options->\(name)", "isn't more than 0")
        return Int(value)
    }

    private static func limit(_ value: Int64, _ name: String) throws(StatusError) -> Int? {
        if value == Int64(LULL_NONE) { return nil }
        try require(value >= 0, "options->\(name)", "is negative, and not LULL_NONE")
        return Int(value)
    }

    private static func text<Result>(
        _ text: UnsafePointer<CChar>?, _ name: String,
        _ use: (String) throws(StatusError) -> Result
    ) throws(StatusError) -> Result? {
        guard let text = unsafe text else { return nil }
        guard let valid = unsafe String(validatingCString: text) else {
            throw .invalid("options->\(name)", "isn't UTF-8")
        }
        return try use(valid)
    }
}
