internal import ArgumentParser
internal import GalleryKit
internal import GalleryWeb
internal import IdleLoop
internal import Logging

/// The command that serves all pictures in a folder as one long list for browsers.
@main
struct GalleryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Serves every picture beneath a folder as one long list that a browser scrolls.",
        discussion: """
            Thumbnails are made in the lulls of the server's event loop, those that will be seen in \
            time; while many wait, only those that stay in view. It ends at SIGTERM or SIGINT. At \
            SIGHUP it lists its folder again. An option may also be in the environment: --base-path \
            as GALLERY_BASE_PATH.
            """,
        version: LullBuild.description)

    @Argument(help: "The folder; nothing outside of it is ever served.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Where to listen: ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH; may be given several times.",
            discussion: "127.0.0.1:8080 unless a service manager has passed sockets."))
    var listen: [WebAddress] = []

    @Option(
        name: .customLong("host"),
        help: "A name under which it may be asked for, besides the address; may be repeated.")
    var hosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "The path below which a proxy shows it, such as /photos.",
            discussion: "Requests have it in front of their path; it has no other addresses."))
    var basePath = BasePath.root

    @Option(
        help: ArgumentHelp(
            "Where /metrics is: an address as in --listen, same or none.",
            discussion: """
                unix:$RUNTIME_DIRECTORY/metrics.sock unless given, which systemd sets; none without \
                it. same is with everything else, for everybody.
                """))
    var metrics: MetricsPlace?

    @Option(
        help: ArgumentHelp(
            "The folder where thumbnails are kept, or none.",
            discussion: "$CACHE_DIRECTORY unless given, which systemd sets; none without it."),
        completion: .directory)
    var cache: String?

    @Option(help: "How many connections there may be.")
    var connections = WebLimits().connections

    @Option(help: "How many of them from one address.")
    var connectionsPerAddress = WebLimits().connectionsPerAddress

    @Option(help: "How many pages may be looked at.")
    var clients = GalleryLimits().clients

    @Option(help: "How many of them from one address.")
    var clientsPerAddress = GalleryLimits().clientsPerAddress

    @Option(help: "The least important entries of the log that are written.")
    var logLevel = Logger.Level.info

    @Option(help: "Where thumbnails are made: lulls, or, to compare, handler or threads.")
    var make = ThumbnailStrategy.lulls

    @Option(
        help: ArgumentHelp(
            "Where files are decoded: in-process, or helper, for files of strangers.",
            discussion:
                "A helper is the program lull-heif-picture-helper beside this one, which can do no more."
        ))
    var decoding = DecodingProcess.inProcess

    func validate() throws {
        let numbers = [connections, connectionsPerAddress, clients, clientsPerAddress]
        guard numbers.allSatisfy({ (1...GalleryLimits.mostClients).contains($0) }) else {
            throw ValidationError("a bound is a number from 1 to 1000000")
        }
        guard make != .handler || decoding == .inProcess else {
            throw ValidationError("a handler decodes files, in process")
        }
    }

    func run() throws {
        LoggingSystem.bootstrap { [logLevel] in JournalLogHandler($0, logLevel) }
        let log = Logger(label: "gallery")
        do {
            try Daemon(self, log: log).run()
        } catch {
            log.critical("can't go on", metadata: ["error": "\(error)"])
            throw ExitCode(Self.status(of: error))
        }
    }

    /// Returns the exit status for an error, as in sysexits.h.
    private static func status(of error: any Error) -> Int32 {
        switch error {
        case let failure as StartFailure: failure.exitStatus
        default: 71  // EX_OSERR
        }
    }
}
