internal import ArgumentParser

/// The commands that a gallery is tried with.
@main
struct GalleryLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery-load",
        abstract: "Tries a gallery with many people.",
        subcommands: [ScrollCommand.self, SoakCommand.self])
}
