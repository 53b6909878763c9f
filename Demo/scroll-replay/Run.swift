import ArgumentParser
import LullTesting
import ScrollModel

/// One replay and what came of it.
struct Run: Sendable {
    let session: Session
    let rule: NamedPolicy
    let engine: Engine
    let setting: String
    let seed: UInt64
    let outcome: Replay.Outcome
    let album: Album?
    /// All that happened, if the plan's options have it kept.
    let log: ReplayLog?

    /// The result of a replay.
    init(_ plan: Plan, outcome: Replay.Outcome, log: ReplayLog?) {
        session = plan.session
        rule = plan.way.rule
        engine = plan.way.engine
        setting = plan.setting
        seed = plan.options.seed
        album = plan.album
        self.outcome = outcome
        var log = log
        log?.title.policy = rule.name
        log?.title.setting = setting
        self.log = log
    }

    /// The figures as one JSON object.
    var json: JSONText {
        let figures = outcome.figures
        let settles = figures.settles
        let delays = figures.inputDelays
        var members: [(String, JSONText)] = [
            ("trace", .text(session.trace.name)), ("policy", .text(rule.rawValue)),
            ("engine", .text(engine.rawValue)), ("setting", .text(setting)),
            ("seed", .whole(seed)), ("hz", .whole(session.hz)),
            ("blank_ns", .whole(figures.blank)),
            ("blank_moving_ns", .whole(figures.blankMoving)),
            ("blank_resting_ns", .whole(figures.blankResting)),
            ("rests", .whole(figures.rests)), ("settle_never", .whole(figures.settleNever)),
            ("settle_p50_ns", .whole(Figures.percentile(50, of: settles))),
            ("settle_p95_ns", .whole(Figures.percentile(95, of: settles))),
            ("settle_max_ns", .whole(settles.last ?? 0)),
            ("loads_started", .whole(figures.loadsStarted)),
            ("loads_finished", .whole(figures.loadsFinished)),
            ("loads_failed", .whole(figures.loadsFailed)),
            ("loads_useful", .whole(figures.loadsUseful)),
            ("loads_wasted", .whole(figures.loadsWasted)),
            ("load_cost_ns", .whole(figures.loadCost)),
            ("wasted_cost_ns", .whole(figures.wastedCost)),
            ("waste_share", .six(figures.wasteShare)),
            ("frames_shown", .whole(figures.framesShown)),
            ("frames_late", .whole(figures.framesLate)),
            ("frames_dropped", .whole(figures.framesDropped)),
            ("hitch_ns", .whole(figures.hitch)), ("hitch_ms_per_s", .six(figures.hitchRatio)),
            ("input_delay_p50_ns", .whole(Figures.percentile(50, of: delays))),
            ("input_delay_p99_ns", .whole(Figures.percentile(99, of: delays))),
            ("input_delay_max_ns", .whole(delays.last ?? 0)),
            ("queue_longest", .whole(figures.queueLongest)),
            ("queue_accepted", .whole(figures.queueAccepted)),
            ("queue_done", .whole(figures.queueDone)),
            ("queue_failed", .whole(figures.queueFailed)),
            ("queue_cancelled", .whole(figures.queueCancelled)),
            ("queue_dropped", .whole(figures.queueDropped)),
        ]
        if album != nil {
            members.append(("failures", .list(failures.map(\.json))))
        }
        if let wakeups = outcome.quietWakeups {
            members.append(("quiet_wakeups", .whole(wakeups)))
            members.append(("unsettled_at_end", .whole(outcome.unsettled.count)))
        }
        return .members(members)
    }

    struct Failure {
        let row: Int
        let file: String
        let reason: String

        var json: JSONText {
            .members([
                ("row", .whole(row)), ("file", .text(file)), ("reason", .text(reason)),
            ])
        }
    }

    /// The rows that couldn't be loaded, with their pictures and the reasons.
    var failures: [Failure] {
        outcome.failures.map { failure in
            Failure(
                row: failure.row, file: album?.file(ofRow: failure.row) ?? "",
                reason: printable("\(failure.reason)"))
        }
    }
}
