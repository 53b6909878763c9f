internal import ArgumentParser
internal import Glibc

/// Has many people scroll a gallery at once, from a process of its own, and says how it was served.
struct ScrollCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scroll",
        abstract: "Has many people scroll a gallery at once, and says how it was served.",
        discussion: "It only ever asks a server on this machine's own loopback addresses.")

    @Argument(help: "Where the gallery listens, such as 127.0.0.1:8080.")
    var server: String

    @Option(help: "How many people scroll.")
    var clients = 50

    @Option(help: "For how many seconds they're watched.")
    var seconds = 20.0

    @Option(help: "How many of them share a loopback address.")
    var clientsPerAddress = 10

    @Option(help: "How many seconds they look at what they see, about.")
    var pause = 2.0

    @Option(help: "The seed of what they do.")
    var seed: UInt64 = 1

    @Flag(help: "Print the figures as name=value, to be read by scripts.")
    var plain = false

    func validate() throws {
        guard ServerAddress(server) != nil else {
            throw ValidationError("an address of this machine's loopback: 127.0.0.1:8080")
        }
        guard (0...20_000).contains(clients), (0.1...86_400).contains(seconds),
            (1...1000).contains(clientsPerAddress), (0...60).contains(pause)
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
            address, seed: seed, clientsPerAddress: clientsPerAddress, pause: pause)
        try run.play(people: clients, seconds: seconds)
        guard run.version >= 0 else { throw NoGallery(server: server) }
        let report = LoadReport(run)
        print(plain ? report.plain : report.table)
        if run.listChanged { print("the list changed meanwhile: figures of settling mean little") }
    }
}

/// Nobody answers there as a gallery does.
private struct NoGallery: Error, CustomStringConvertible {
    let server: String

    var description: String { "no gallery answers at \(server)" }
}
