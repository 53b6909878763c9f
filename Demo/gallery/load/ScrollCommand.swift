internal import ArgumentParser
internal import Glibc

/// The command that simulates many users who scroll a gallery at once, and reports their
/// measurements.
struct ScrollCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scroll",
        abstract: "Has many people scroll a gallery at once, and says how it was served.",
        discussion: """
            It only ever asks a server on this machine's own loopback addresses. With a hostile page \
            people are watched twice, before it comes and while it is there, and it's said by how \
            much they were served worse.
            """)

    @Argument(help: "Where the gallery listens, such as 127.0.0.1:8080.")
    var server: String

    @Option(help: "How many people scroll.")
    var clients = 50

    @Option(help: "For how many seconds they're watched.")
    var seconds = 20.0

    @Option(help: "How many seconds they look at what they see, about.")
    var pause = 2.0

    @Option(
        help: ArgumentHelp(
            "The path of a plain page's pictures, without the row's number.",
            discussion: "The browser loads them itself; /list and /healthz are as a gallery's."))
    var plainPage: String?

    @Option(help: "How near to the window a plain page's pictures are loaded, in px.")
    var reach = 1250.0

    @Flag(help: "Start each of them at a place of their own in the list.")
    var spread = false

    @Flag(help: "Have a page come then that reports the worst there is all the time.")
    var hostile = false

    @Flag(help: "Print the figures as name=value, to be read by scripts.")
    var plain = false

    func validate() throws {
        guard ServerAddress(server) != nil else {
            throw ValidationError("an address of this machine's loopback: 127.0.0.1:8080")
        }
        guard (0...20_000).contains(clients), (0.1...86_400).contains(seconds),
            (0...60).contains(pause), (0...100_000).contains(reach)
        else { throw ValidationError("a number is beyond reason") }
    }

    func run() throws {
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = min(limit.rlim_max, 1 << 17)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard let address = ServerAddress(server) else { throw ExitCode.failure }
        let run = try LoadRun(
            address, pause: .seconds(pause),
            page: plainPage.map { VirtualPlainUser.Page(prefix: $0, reach: reach) },
            isSpread: spread, hasHostile: hostile)
        try run.play(users: clients, for: .seconds(seconds))
        guard run.list != nil else { throw NoGallery(server: server) }
        let report = LoadReport(run)
        if let calm = run.calm, let page = run.hostile {
            print("without it:\n\(plain ? calm.plain : calm.table)\n\nwith it:")
            print(plain ? report.plain : report.table)
            print("\n\(report.difference(from: calm))\nit got \(page.taken) reports taken")
        } else {
            print(plain ? report.plain : report.table)
        }
        if run.figures.listChanged {
            print("the list changed meanwhile: figures of settling mean little")
        }
    }
}

/// The error that no gallery at the address answers with a whole list.
private struct NoGallery: Error, CustomStringConvertible {
    let server: String

    var description: String { "no gallery answers with a whole list at \(server)" }
}
