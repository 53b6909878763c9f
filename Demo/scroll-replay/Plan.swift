import DeferredLoading
import LullTesting
import ScrollModel

/// Everything that decides a replay: the same plan gives the same run, on any thread.
struct Plan: Sendable {
    let session: Session
    let way: Way
    let setting: String
    var options: ReplayOptions
    let album: Album?

    /// A way to play a session, with what the command line says.
    init(_ session: Session, _ way: Way, _ arguments: ReplayArguments, album: Album?) {
        self.session = session
        self.way = way
        self.album = album
        setting = arguments.settingName
        options = arguments.options(engine: way.engine, hz: session.hz)
    }

    /// The same as another plan, but in this way.
    init(copying plan: Plan, _ way: Way) {
        session = plan.session
        self.way = way
        setting = plan.setting
        options = plan.options
        options.engine = way.engine
        album = plan.album
    }

    /// A replay by this plan, which hasn't begun.
    func replay() throws -> Replay {
        try Replay(
            of: session.trace, in: session.list, policy: policy(by: way.rule), work: work,
            options: options)
    }

    /// A policy that follows a rule, for a replay by this plan.
    func policy(by rule: NamedPolicy) -> any LoadingPolicy {
        rule.make(
            for: .init(trace: session.trace, list: session.list, options: options, work: work))
    }

    private var work: (any RowWork)? {
        album?.work(for: session.list.list, clock: options.clock)
    }

    /// Plays it to its end.
    func run() throws -> Run {
        let replay = try replay()
        return Run(self, outcome: try replay.run(), log: replay.log)
    }
}
