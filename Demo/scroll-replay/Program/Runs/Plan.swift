import DeferredLoading
import Laboratory
import LullTesting
import ScrollModel

/// The complete input of a replay: the same plan gives the same run, on any thread.
struct Plan: Sendable {
    let session: Session
    let contender: Contender
    let setting: String
    var options: ReplayOptions
    let album: Album?

    /// Creates the plan by which a contender plays a session, with the options of the command line.
    init(_ session: Session, _ contender: Contender, _ arguments: ReplayArguments, album: Album?) {
        self.session = session
        self.contender = contender
        self.album = album
        setting = arguments.settingName
        options = arguments.options(scheduling: contender.engine, hz: session.hz)
    }

    /// Creates a copy of another plan with this contender.
    init(copying plan: Plan, _ contender: Contender) {
        session = plan.session
        self.contender = contender
        setting = plan.setting
        options = plan.options
        options.schedule(by: contender.engine)
        album = plan.album
    }

    /// Returns a replay by this plan, which hasn't started.
    func replay() throws -> Replay {
        try Replay(
            of: session.trace, in: session.list, policy: policy(by: contender.rule), work: work,
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
