public import ArgumentParser
public import GalleryKit
internal import GalleryLog
internal import GalleryPictures
public import GalleryWeb
internal import Glibc
internal import HTTPLoading
internal import IdleLoop
internal import ImageLoading
internal import Logging

/// The command that serves all pictures in a folder as one long list for browsers.
@main
struct GalleryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Serves every picture beneath a folder as one long list that a browser scrolls.",
        discussion: """
            Thumbnails are made in the lulls of the server's event loop, those that will be seen in \
            time; while many wait, only those that stay in view. It ends at SIGTERM or SIGINT, and \
            lists its folder anew at SIGHUP.
            """)

    @Argument(help: "The folder; nothing outside of it is ever served.")
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
            "The folder where thumbnails and responses of servers are kept, or none.",
            discussion: "$CACHE_DIRECTORY unless given, which systemd sets; none without it."))
    var cache: String?

    @Option(help: "How many connections there may be.")
    var connections = WebLimits().connections

    @Option(help: "How many of them from one address.")
    var connectionsPerAddress = WebLimits().connectionsPerAddress

    @Option(help: "How many pages may be looked at.")
    var clients = GalleryLimits().clients

    @Option(help: "How many of them from one address.")
    var clientsPerAddress = GalleryLimits().clientsPerAddress

    @Option(help: "Where thumbnails are made: lulls, or, to compare, handler or threads.")
    var make = ThumbnailStrategy.lulls

    @Option(
        help: ArgumentHelp(
            "Where files are decoded: in-process, or helper, for files of strangers.",
            discussion:
                "A helper is the program heif-picture-helper beside this one, which can do no more."
        ))
    var decoding = DecodingProcess.inProcess

    @Option(
        help: ArgumentHelp(
            "The servers whose pictures are shown, which Internet shortcuts name: none, public or any.",
            discussion: "Shortcuts are files NAME.url. public are servers of the Internet alone."))
    var servers = RemoteServers.none

    func validate() throws {
        let numbers = [connections, connectionsPerAddress, clients, clientsPerAddress]
        guard numbers.allSatisfy({ (1...1_000_000).contains($0) }) else {
            throw ValidationError("a bound is a number from 1 to 1000000")
        }
        guard make != .handler || decoding == .inProcess && servers == .none else {
            throw ValidationError("a handler decodes files, in process")
        }
    }

    func run() throws {
        let output = LogOutput()
        LoggingSystem.bootstrap { JournalLogHandler($0, to: output) }
        let log = Logger(label: "gallery")
        do {
            try Daemon(self, log: log).run()
        } catch {
            log.critical("can't go on", metadata: ["error": "\(error)"])
            throw ExitCode.failure
        }
    }
}

// Values derived from the options.
extension GalleryCommand {
    /// The folder's name.
    var title: String {
        let path = unsafe realpath(folder, nil).map { path in
            defer { unsafe free(path) }
            return unsafe String(cString: path)
        }
        return (path ?? folder).split(separator: "/").last.map(String.init) ?? "Gallery"
    }

    var diskCache: ThumbnailDiskCache? {
        cacheFolder.map { ThumbnailDiskCache(in: $0 + "/thumbnails") }
    }

    /// The folder of all caches; nil without caches.
    private var cacheFolder: String? {
        guard let folder = cache ?? CacheDirectory.ofService(), !folder.isEmpty else { return nil }
        return folder == "none" ? nil : folder
    }

    /// Returns the transport that fetches pictures from servers; nil if none are shown.
    func transport(on loop: MainLoop) throws -> HTTPLoader? {
        guard servers != .none else { return nil }
        var configuration = HTTPLoaderConfiguration()
        configuration.addresses = servers == .any ? .any : .publicOnly
        configuration.byteLimit = 32 << 20
        // A response that was fetched under one rule must not be used under another.
        let cache = cacheFolder.map { HTTPCache(in: "\($0)/http-\(servers)") }
        return HTTPLoader(
            on: loop, configuration: configuration, cache: cache,
            workers: try WorkerPool(width: 1, on: loop))
    }

    var webLimits: WebLimits {
        var limits = WebLimits()
        limits.connections = connections
        limits.connectionsPerAddress = connectionsPerAddress
        return limits
    }

    var galleryLimits: GalleryLimits {
        var limits = GalleryLimits()
        limits.clients = clients
        limits.clientsPerAddress = clientsPerAddress
        return limits
    }
}

extension WebAddress: ExpressibleByArgument {
    /// Parses an argument; nil if it isn't an address.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension ThumbnailStrategy: ExpressibleByArgument {}

/// The servers from which pictures are fetched.
enum RemoteServers: String, CaseIterable, ExpressibleByArgument {
    /// No servers.
    case none
    /// Servers with public Internet addresses.
    case `public`
    /// Servers with any address, including private networks and this machine.
    case any
}

/// The process that decodes files.
enum DecodingProcess: String, CaseIterable, ExpressibleByArgument {
    /// The server's own process.
    case inProcess = "in-process"
    /// A helper process that can't open files, start programs or access the network.
    case helper
}
