import ArgumentParser
import IdleLoop
import Laboratory
import LullTesting
import ReplayText

/// A replay and its result.
struct Run: Sendable {
    let plan: Plan
    let outcome: Replay.Outcome
    /// The log, if the plan's options ask for it.
    let log: ReplayLog?

    /// Creates a run from a replay's outcome and log.
    init(_ plan: Plan, outcome: Replay.Outcome, log: ReplayLog?) {
        self.plan = plan
        self.outcome = outcome
        var log = log
        log?.title.policy = plan.contender.rule.name
        log?.title.engine = plan.contender.engine.rawValue
        log?.title.setting = plan.setting
        self.log = log
    }

    /// The figures as one JSON object.
    var json: JSON {
        let figures = outcome.figures
        let settles = figures.settles
        let delays = figures.inputDelays
        var members: [(String, JSON)] = [
            ("trace", .text(plan.scenario.trace.name)),
            ("policy", .text(plan.contender.rule.rawValue)),
            ("engine", .text(plan.contender.engine.rawValue)), ("setting", .text(plan.setting)),
            ("seed", .integer(plan.options.seed)), ("hz", .integer(plan.scenario.hz)),
            ("blank_ns", .nanoseconds(figures.blank)),
            ("blank_moving_ns", .nanoseconds(figures.blankMoving)),
            ("blank_resting_ns", .nanoseconds(figures.blankResting)),
            ("rests", .integer(figures.rests)), ("settle_never", .integer(figures.settleNever)),
            ("settle_p50_ns", .nanoseconds(Figures.percentile(50, of: settles))),
            ("settle_p95_ns", .nanoseconds(Figures.percentile(95, of: settles))),
            ("settle_max_ns", .nanoseconds(settles.last ?? .zero)),
            ("loads_started", .integer(figures.loadsStarted)),
            ("loads_finished", .integer(figures.loadsFinished)),
            ("loads_failed", .integer(figures.loadsFailed)),
            ("loads_useful", .integer(figures.loadsUseful)),
            ("loads_wasted", .integer(figures.loadsWasted)),
            ("load_cost_ns", .nanoseconds(figures.loadCost)),
            ("wasted_cost_ns", .nanoseconds(figures.wastedCost)),
            ("waste_share", .six(figures.wasteShare)),
            ("frames_shown", .integer(figures.framesShown)),
            ("frames_late", .integer(figures.framesLate)),
            ("frames_dropped", .integer(figures.framesDropped)),
            ("hitch_ns", .nanoseconds(figures.hitch)), ("hitch_ms_per_s", .six(figures.hitchRatio)),
            ("input_delay_p50_ns", .nanoseconds(Figures.percentile(50, of: delays))),
            ("input_delay_p99_ns", .nanoseconds(Figures.percentile(99, of: delays))),
            ("input_delay_max_ns", .nanoseconds(delays.last ?? .zero)),
            ("queue_longest", .integer(figures.queue.longest)),
            ("queue_accepted", .integer(figures.queue.accepted)),
            ("queue_done", .integer(figures.queue.done + figures.queue.skipped)),
            ("queue_failed", .integer(figures.queue.failed)),
            ("queue_cancelled", .integer(figures.queue.cancelled)),
            ("queue_dropped", .integer(figures.queue.dropped)),
        ]
        if plan.options.lanes > 0 { members.append(("lanes", .whole(plan.options.lanes))) }
        if plan.pictures != nil {
            members.append(("failures", .list(failures.map(\.json))))
        }
        if let wakeups = outcome.quietWakeups {
            members.append(("quiet_wakeups", .integer(wakeups)))
            members.append(("unsettled_at_end", .integer(outcome.unsettled.count)))
        }
        return .members(members)
    }

    struct Failure {
        let row: Int
        let file: String
        let reason: String

        var json: JSON {
            .members([
                ("row", .integer(row)), ("file", .text(file)), ("reason", .text(reason)),
            ])
        }
    }

    /// The rows that couldn't be loaded, with their pictures and errors.
    var failures: [Failure] {
        outcome.failures.map { failure in
            Failure(
                row: failure.row, file: plan.pictures?.file(ofRow: failure.row) ?? "",
                reason: printable("\(failure.reason)"))
        }
    }
}
