import ArgumentParser
import Foundation

/// Runs the contenders' programs in turn, several times over, and compares what they print.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures Lull's event loop, list model, replays and decoding beside others.",
        discussion: """
            In each round every contender does a workload in turn, so that whatever else the \
            machine is doing meanwhile falls on all of them. Figures are medians over the rounds.

            The pictures of D1 to D9 are made first, once. D1 to D6 give CPU time, medians over \
            turns within a program, so that decoders meet the same machine; what is asked of a \
            figure stands below its table. vips, gdk-pixbuf and imlib2 take part if they are \
            installed (libvips42, libgdk-pixbuf-2.0-0, libimlib2). D7's latest_ms needs a machine \
            with nothing else to do, as no-pictures shows; latest_own_ms leaves the others out.

            Contenders: \(Contender.allNames.joined(separator: " "))
            """)

    @Option(
        help: "Workloads, separated by commas: M1 to M7, R1 to R6, S1, S2, D1 to D9.")
    var only: String?

    @Option(help: "Contenders, separated by commas.")
    var contenders: String?

    @Option(help: "How many rounds.")
    var rounds = 3

    @Option(help: "A file for the figures, one JSON object a line.")
    var json: String?

    @Option(help: "The seconds after which a contender's program is killed.")
    var limit = 120

    @Flag(help: "Sleep and play frames for a shorter time.")
    var quick = false

    func run() throws {
        let workloads = try chosenWorkloads()
        let contenders = try chosenContenders()
        var results = Results()
        var failures: [String] = []
        for round in 1...rounds {
            for workload in workloads {
                let contenders = contenders.filter { $0.workloads.contains(workload) }
                if !contenders.isEmpty { note("round \(round) of \(rounds): \(workload.rawValue)") }
                for contender in contenders {
                    do {
                        try lines(of: contender, workload, round).forEach { results.add($0) }
                    } catch Program.Failure.exited(status: Self.unavailable) {
                        note("\(contender.name) \(workload.rawValue): isn't installed, left out")
                    } catch {
                        let failure = "\(contender.name) \(workload.rawValue): \(error)"
                        note(failure)
                        failures.append(failure)
                    }
                }
            }
        }
        let rows = results.rows
        try write(rows)
        if rows.isEmpty { note("Nothing was measured.") }
        if !failures.isEmpty {
            note("\(failures.count) failed:\n" + failures.joined(separator: "\n"))
        }
        if rows.isEmpty || !failures.isEmpty { throw ExitCode.failure }
    }

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("There must be at least one round.") }
    }

    // MARK: Choice

    private func chosenWorkloads() throws -> [Workload] {
        guard let only else { return Workload.allCases }
        let chosen = try only.split(separator: ",").map { name in
            guard let workload = Workload(rawValue: name.uppercased()) else {
                throw ValidationError("No such workload: \(name)")
            }
            return workload
        }
        return Workload.allCases.filter { chosen.contains($0) }
    }

    private func chosenContenders() throws -> [Contender] {
        guard let contenders else { return Contender.all }
        let names = contenders.split(separator: ",").map(String.init)
        for name in names where !Contender.allNames.contains(name) {
            throw ValidationError("No such contender: \(name)")
        }
        return Contender.all.filter { !$0.names.allSatisfy { !names.contains($0) } }
    }

    // MARK: Running

    /// What a contender that misbehaves without crashing has done.
    private enum Nonsense: Error, CustomStringConvertible {
        case line(Substring)
        case silence

        var description: String {
            switch self {
            case .line(let text): "printed nonsense: \(text)"
            case .silence: "printed nothing"
            }
        }
    }

    /// The status of a contender that needs what isn't installed.
    private static let unavailable: Int32 = 69

    private func lines(
        of contender: Contender, _ workload: Workload, _ round: Int
    ) throws -> [Line] {
        var environment = ProcessInfo.processInfo.environment
        environment["BENCH_QUICK"] = quick ? "1" : nil
        environment["BENCH_ROUND"] = String(round)
        environment["BENCH_CONTENDERS"] = contenders
        let program = Program(
            path: try Bench.folder() + "/" + contender.program,
            arguments: [contender.mode, workload.rawValue].compactMap(\.self),
            environment: environment)
        let output = try program.output(limit: limit)
        let lines = try output.split(separator: "\n").map { text in
            guard let line = Line(text), line.workload == workload,
                contender.names.contains(line.contender)
            else { throw Nonsense.line(text) }
            return line
        }
        // An ensemble has said who is left out.
        if lines.isEmpty, contender.ensemble.isEmpty { throw Nonsense.silence }
        return lines
    }

    /// Where this program and the contenders' are.
    private static func folder() throws -> String {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    // MARK: Output

    private func write(_ rows: [Row]) throws {
        for workload in Workload.allCases {
            let rows = rows.filter { $0.line.workload == workload }
            if !rows.isEmpty { print(Table(workload: workload, rows: rows).text + "\n") }
        }
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var text = Data()
        for row in rows {
            text += try encoder.encode(row)
            text += Data("\n".utf8)
        }
        try text.write(to: URL(fileURLWithPath: json))
    }

    private func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
