import DeferredLoading
import Laboratory
import LullTesting
import ScrollModel

/// The complete input of a replay: the same plan gives the same run, on any thread.
struct Plan: Sendable {
    let session: Session
    let way: Way
    let setting: String
    var options: ReplayOptions
    let album: Album?

    /// Creates the plan of one way to play a session, with the options of the command line.
    init(_ session: Session, _ way: Way, _ arguments: ReplayArguments, album: Album?) {
        self.session = session
        self.way = way
        self.album = album
        setting = arguments.settingName
        options = arguments.options(scheduling: way.engine, hz: session.hz)
    }

    /// Creates a copy of another plan with this way.
    init(copying plan: Plan, _ way: Way) {
        session = plan.session
        self.way = way
        setting = plan.setting
        options = plan.options
        options.schedule(by: way.engine)
        album = plan.album
    }

    /// Returns a replay by this plan, which hasn't started.
    func replay() throws -> Replay {
        try Replay(
            of: session.trace, in: session.list, policy: policy(by: way.rule), work: work,
            options: options)
    }

    /// Returns a policy that follows a rule, for a replay by this plan.
    func policy(by rule: NamedPolicy) -> any LoadingPolicy {
        rule.make(
            for: .init(trace: session.trace, list: session.list, options: options, work: work))
    }

    private var work: (any RowWork)? {
        album?.work(for: session.list.list, clock: options.clock)
    }

    /// Plays the replay to its end.
    func run() throws -> Run {
        let replay = try replay()
        return Run(self, outcome: try replay.run(), log: replay.log)
    }
}
