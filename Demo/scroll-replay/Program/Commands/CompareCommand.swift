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
                let count = counted(recorded, "trace")
                say("\(count): viewport, Hz and row heights as recorded beside them")
            }
            let ways = contenders.all
            let plans = settings.flatMap { setting in
                scenarios.flatMap { scenario in
                    ways.map { contender in
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
            let size = traces.count * ways.count
            let comparisons = settings.indices.map { index in
                Comparison(Array(runs[index * size..<(index + 1) * size]), of: ways)
            }
            switch arguments.format {
            case .text: try emit(text(of: comparisons))
            case .json: try emit("[" + runs.map(\.json.rendered).joined(separator: ",\n") + "]")
            }
            let verdict = comparisons.count == 1 ? comparisons[0].verdict : []
            try output.write(runs.map(\.log), verdict: verdict.joined(separator: " "))
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

    private func text(of comparisons: [Comparison]) -> String {
        zip(settings, comparisons).map { setting, comparison in
            let table = comparison.text(perTrace: perTrace)
            let title = withLanes(setting.settingName, setting.lanes)
            return comparisons.count > 1 ? "\(title):\n\n\(table)" : table
        }.joined(separator: "\n\n")
    }
}
