import DeferredLoading
import Laboratory
import LullTesting
import ScrollModel
import ShippedTraces

/// Replays of the traces that the project ships, with their logs.
enum Played {
    /// The contenders that are compared: a policy's name and an engine each.
    static let contenders: [(policy: String, engine: Scheduling)] = [
        ("visible", .inFrame), ("visible", .lull), ("within3", .lull),
    ]

    /// The logs of each shipped trace in each of ``contenders``, played once for all tests.
    private static let byTrace: [String: [ReplayLog]] = {
        let logs = Shipped.names.map { name in
            (name, contenders.compactMap { try? log(name, $0.policy, $0.engine) })
        }
        return Dictionary(uniqueKeysWithValues: logs)
    }()

    /// The logs of a shipped trace in each of ``contenders``.
    static func logs(_ name: String) -> [ReplayLog] { byTrace[name] ?? [] }

    /// The log of a shipped trace, in the list in which it was recorded unless another is given.
    static func log(
        _ name: String, _ policy: String = "within3", _ engine: Scheduling = .lull,
        setting: Setting = .standard, rows: RowHeights? = nil, height: Double = 915,
        change: (inout ReplayOptions) -> Void = { _ in }
    ) throws -> ReplayLog {
        let rule: any LoadingPolicy =
            switch policy {
            case "visible": .visible
            case "within3": .within(rows: 3)
            default: .everything
            }
        let trace = try Shipped.trace(name)
        var options = ReplayOptions(setting, engine)
        change(&options)
        var log = try Played.log(
            of: trace, in: Viewport(rows: rows ?? Shipped.heights, height: height), rule,
            options: options)
        log.title.policy = policy
        log.title.engine = engine.rawValue
        log.title.setting = setting.rawValue
        return log
    }

    /// The log of a replay.
    static func log(
        of trace: Trace, in list: Viewport, _ policy: any LoadingPolicy,
        work: (any RowWork)? = nil, options: ReplayOptions = .init()
    ) throws -> ReplayLog {
        var options = options
        options.isLogged = true
        let replay = try Replay(of: trace, in: list, policy: policy, work: work, options: options)
        _ = try replay.run()
        guard let log = replay.log else { fatalError("a replay that is logged has its log") }
        return log
    }
}
