internal import ArgumentParser
internal import GalleryFiles
internal import GalleryKit
internal import GalleryPictures
internal import IdleLoop

/// The command that simulates users who scroll a gallery for hours of virtual time, and checks that
/// memory doesn't grow.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract:
            "Has people scroll a gallery for hours of virtual time; fails if something grows.",
        discussion: """
            The gallery is all there but the web server: its loop is on virtual time. Its 3000 \
            pictures are small ones, made for this; now and then one is renamed.
            """)

    @Option(help: "For how many hours of virtual time.")
    var hours = 1.0

    @Option(help: "How many people scroll.")
    var clients = 200

    @Option(help: "How many seconds they look at what they see, about.")
    var pause = 60.0

    @Option(help: "How many milliseconds a step of making a picture takes.")
    var step = 0.3

    @Option(help: "The seed of what they do.")
    var seed: UInt64 = 1

    @Flag(
        help: """
            Keep thumbnails on disk, and play twice: without those that are made ahead, and with them.
            """)
    var ahead = false

    func validate() throws {
        guard (0.01...10_000).contains(hours), (1...2000).contains(clients),
            (0...3600).contains(pause), (0...1000).contains(step)
        else { throw ValidationError("a number is beyond reason") }
    }

    func run() throws {
        for makesAhead in ahead ? [false, true] : [false] {
            let pictures = try SmallPictures(seed: seed)
            let soak = try Soak(
                of: PictureFolder(pictures.path), at: pictures.path,
                cache: ahead ? ThumbnailDiskCache.thumbnails(in: pictures.cache) : nil,
                makesAhead: makesAhead, step: .microseconds(Int64(step * 1000)), users: clients,
                pause: .seconds(pause), seed: seed)
            try soak.run(for: .milliseconds(Int64(hours * 3_600_000)))
            if ahead { print(makesAhead ? "with thumbnails made ahead:" : "without:") }
            print(soak.report)
            guard soak.faults.isEmpty else {
                print(soak.faults.joined(separator: "\n"))
                throw ExitCode.failure
            }
        }
    }
}
