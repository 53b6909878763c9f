import ArgumentParser
import LullTesting
import ReplayText

/// `scroll-replay compare`: plays many traces by several contenders and prints one table.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Plays traces in several ways and prints one table.",
        discussion: Help.compare)

    @Argument(help: "The traces: each one JSON object a line.", completion: .file())
    var traces: [String]

    @OptionGroup(title: "What is compared") var contenders: ContenderArguments

    @Flag(help: "A row for each trace and way, also with many ways.")
    var perTrace = false

    @Option(help: "How many replays run at once (default: as many as there are cores).")
    var jobs: Int?

    @OptionGroup(title: "Pictures") var output: OutputArguments
    @OptionGroup var failing: FailArguments
    @OptionGroup var arguments: ReplayArguments

    func validate() throws {
        try check("--jobs", Double(jobs ?? 1), 1...1024)
        if contenders.settings != nil, arguments.cost != nil || arguments.latency != nil {
            throw ValidationError("--settings says all that --cost and --latency do")
        }
    }

    func run() throws {
        try orExit {
            let pictures = try arguments.images.map { try PictureSet($0) }
            let scenarios = try traces.map { try Scenario($0, arguments) }
            let recorded = scenarios.count { !$0.asRecorded.isEmpty }
            if recorded > 0 {
                let count = recorded == 1 ? "1 trace" : "\(recorded) traces"
                say("\(count): viewport, Hz and row heights as recorded beside them")
            }
            let plans = settings.flatMap { setting in
                scenarios.flatMap { scenario in
                    contenders.all.map { contender in
                        var plan = Plan(scenario, contender, setting, pictures: pictures)
                        plan.options.isLogged = output.isAskedFor
                        return plan
                    }
                }
            }
            // In real time, replays must not run at the same time.
            let width = arguments.clock == .real ? 1 : jobs ?? ParallelRunner.cores
            let runner = ParallelRunner(width: width, label: "replays")
            let runs = try runner.map(plans) { try $0.run() }
            try emit(text(of: runs))
            try output.write(runs.map(\.log), verdict: verdict(on: runs))
            try failing.check(runs)
        }
    }

    /// The arguments for each of the settings.
    private var settings: [ReplayArguments] {
        guard let names = contenders.settings?.names else { return [arguments] }
        return names.map { setting in
            var own = arguments
            own.setting = setting
            return own
        }
    }

    private func verdict(on runs: [Run]) -> String {
        guard settings.count == 1 else { return "" }
        return Comparison(runs: runs, contenders: contenders.all).verdict.joined(separator: " ")
    }

    private func text(of runs: [Run]) -> String {
        guard arguments.format == .text else {
            return "[" + runs.map(\.json.rendered).joined(separator: ",\n") + "]"
        }
        let all = contenders.all
        let size = traces.count * all.count
        return settings.enumerated().map { index, setting in
            let own = Array(runs[index * size..<(index + 1) * size])
            let table = Comparison(runs: own, contenders: all)
                .text(perTrace: perTrace || all.count <= Comparison.fewContenders)
            return settings.count > 1 ? "\(setting.settingName):\n\n\(table)" : table
        }.joined(separator: "\n\n")
    }
}
