// What decodes pictures.
extension Contender {
    static let decoding = [decoders] + memories + listsOfPictures

    /// All that decode a file, in one process.
    private static let decoders = Contender(
        name: "decoders", program: "bench-decode", mode: "all",
        ensemble: [
            "lull", "lull-first", "huffman", "turbojpeg", "turbojpeg-scaled", "libjpeg",
            "libjpeg-first", "exif", "libpng", "libpng-rgba", "inflate", "libwebp", "libwebp-full",
            "giflib", "libheif", "libavif",
        ], workloads: [.d1, .d2, .d3, .d4, .d5, .d6, .d8, .d9])

    /// Those whose memory is measured, which takes a fresh process for each.
    private static let memories =
        ["lull", "libjpeg", "turbojpeg"].map { name in
            Contender(
                name: name, program: "bench-decode", mode: "memory:" + name, workloads: [.d1])
        }

    /// The ways to load a list beside frames.
    private static let listsOfPictures =
        ["slices", "helper", "whole-jobs", "whole-in-frames", "no-pictures"].map { name in
            Contender(name: name, program: "bench-decode", mode: name, workloads: [.d7])
        }
}
