import DeferredLoading
import Laboratory
import LullTesting
import ReplayText
import ScrollModel

/// The complete input of a replay: the same plan gives the same run, on any thread.
struct Plan: Sendable {
    let scenario: Scenario
    let contender: Contender
    let setting: String
    var options: ReplayOptions
    let pictures: PictureSet?

    /// Creates the plan by which a contender plays a scenario, with the options of the command
    /// line.
    init(
        _ scenario: Scenario, _ contender: Contender, _ arguments: ReplayArguments,
        pictures: PictureSet?
    ) {
        self.scenario = scenario
        self.contender = contender
        self.pictures = pictures
        setting = arguments.settingName
        options = arguments.options(scheduling: contender.engine, hz: scenario.hz)
    }

    /// The setting, and the number of lanes if there are any.
    var title: String { withLanes(setting, options.lanes) }

    /// Returns a replay by this plan, which hasn't started.
    func replay() throws -> Replay {
        try Replay(
            of: scenario.trace, in: scenario.list, policy: policy, work: work, options: options)
    }

    /// A policy that follows the contender's rule, for a replay by this plan.
    var policy: any LoadingPolicy {
        contender.rule.make(
            for: .init(trace: scenario.trace, list: scenario.list, options: options, work: work))
    }

    private var work: (any RowWork)? {
        pictures?.work(for: scenario.list.list, clock: options.clock)
    }

    /// Plays the replay to its end.
    func run() throws -> Run {
        let replay = try replay()
        return Run(self, outcome: try replay.run(), log: replay.log)
    }
}

/// Returns a heading with the number of lanes, if there are any.
func withLanes(_ heading: String, _ lanes: Int) -> String {
    lanes > 0 ? "\(heading), \(counted(lanes, "lane"))" : heading
}
