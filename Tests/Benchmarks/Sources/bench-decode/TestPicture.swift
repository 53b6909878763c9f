import CDecoders
import Foundation

/// A picture file that is decoded, made by `bench-pictures`.
struct TestPicture {
    /// What it is called in the figures.
    let name: String
    let path: String
}

/// All there are; made when they are first wanted.
struct TestPictures {
    private static let makerName = "bench-pictures"

    let jpeg: [TestPicture]
    let progressive: [TestPicture]
    let withThumbnail: [TestPicture]
    let png: [TestPicture]
    let webP: [TestPicture]
    let gif: [TestPicture]
    let heic: [TestPicture]
    let avif: [TestPicture]

    /// Those that can be decoded in slices, or parts of which can.
    var all: [TestPicture] { jpeg + progressive + withThumbnail + png + webP + gif }

    init() {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let folder = program.deletingLastPathComponent()
        let pictures = folder.appending(path: "pictures")
        let maker = folder.appending(path: Self.makerName)
        // Made anew when the program that makes them is another than the one that made them.
        if Self.modification(of: pictures) ?? .distantPast
            < Self.modification(of: maker) ?? .distantPast
        {
            Self.remove(pictures.lastPathComponent, from: folder)
            guard unsafe run_program(maker.path, pictures.path) else { exit(2) }
        }
        func named(_ names: String...) -> [TestPicture] {
            names.map { file in
                TestPicture(
                    name: String(file.prefix { $0 != "." }),
                    path: pictures.appending(path: file).path)
            }
        }
        jpeg = named("j12_base.jpg", "j12_rst.jpg", "j12_444q95.jpg", "j2_base.jpg")
        progressive = named("j12_prog.jpg", "j2_prog.jpg")
        withThumbnail = named("j12_exif.jpg")
        png = named("p2_rgb.png", "p2_rgba.png", "p2_adam7.png", "p2_ui.png")
        webP = named("w2_lossy.webp", "w2_lossless.webp")
        gif = named("g2.gif")
        heic = named("h12.heic", "h2.heic")
        avif = named("a12.avif", "a12_tiles.avif", "a2.avif")
    }

    /// Takes the pictures away, and what is left of those that never were finished.
    private static func remove(_ name: String, from folder: URL) {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        for file in files ?? [] where file == name || file.hasPrefix(name + ".") {
            try? FileManager.default.removeItem(at: folder.appending(path: file))
        }
    }

    private static func modification(of file: URL) -> Date? {
        try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }
}
