internal import ArgumentParser

/// The commands for load tests of a gallery.
@main
struct GalleryLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery-load",
        abstract: "Tries a gallery with many people.",
        subcommands: [ScrollCommand.self, SoakCommand.self])
}
