import ArgumentParser
import Foundation
import ImageLoading
import ReplayText

/// `scroll-replay thumbnail`: decodes one picture as the library does, and prints a report.
struct ThumbnailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnail",
        abstract: "Decodes one picture, and tells its size, its colours and what that took.",
        discussion: Help.thumbnail)

    @Argument(help: "The picture: a file of any name.", completion: .file())
    var file: String

    @Option(help: "The sides in px of the square that it is scaled down to lie in, 1 to 4096.")
    var size = 256

    @Option(
        help: "Write the thumbnail to a file: .png with its alpha, .ppm over white.",
        completion: .file(extensions: ["png", "ppm"]))
    var output: String?

    @Option(help: "How to print what came of it.")
    var format = Format.json

    func validate() throws {
        try check("--size", Double(size), 1...4096)
        if let output, ThumbnailFile(output) == nil {
            throw ValidationError("--output is a file whose name ends in .png or .ppm")
        }
    }

    func run() throws {
        // A reader that closes the pipe, or a file at its size limit, must not end the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var (report, picture) = MeasuredDecode.run(
            file, targetSize: PixelSize(width: size, height: size))
        if let picture, let output, let target = ThumbnailFile(output) {
            do {
                try target.write(picture)
            } catch {
                report.outcome = .unwritable("\(output): \(error)")
            }
        }
        print(report, isJSON: format == .json)
        if report.status != 0 { throw ExitCode(report.status) }
    }

    /// Prints the report; an error in writing it doesn't change the exit status.
    private func print(_ report: ThumbnailReport, isJSON: Bool) {
        let line = (isJSON ? report.json.rendered : report.text) + "\n"
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
}
