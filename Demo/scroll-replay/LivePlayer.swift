import DeferredLoading
import LullTesting
import ReplayTerminal

/// A replay on virtual time that is led forward at a pace, and begun again to go back.
final class LivePlayer {
    /// The speeds that may be chosen.
    static let speeds = 1.0 / 64...64.0

    /// Whether time stands still.
    var isPaused = false
    /// Whether the keys are explained.
    var isHelpShown = false
    /// Something to say for a moment.
    var message: String?
    /// The speed, in multiples of the trace's.
    private(set) var speed: Double

    private var plan: Plan
    private var rule: NamedPolicy
    private var replay: Replay
    private var time: Int64 = 0
    private var figures = LiveFigures()

    /// A plan's replay at its start.
    init(_ plan: Plan, speed: Double) throws {
        var plan = plan
        plan.options.isLogged = true
        self.plan = plan
        self.speed = speed
        rule = plan.way.rule
        replay = try plan.replay()
        try replay.start()
    }

    /// The trace's end, its tail included.
    var end: Int64 { replay.end }
    /// Whether there's nothing more to come.
    var isOver: Bool { time >= end }

    // MARK: - Time

    /// Lets so much real time pass.
    func pass(_ nanoseconds: Int64) throws {
        guard !isPaused, !isOver else { return }
        try advance(to: time + Int64(Double(nanoseconds) * speed))
    }

    /// Goes to a time, back by beginning again.
    func seek(to target: Int64) throws {
        if target < time { try begin() }
        try advance(to: target)
    }

    /// Goes to the next frame, and stays there.
    func stepForward() throws {
        isPaused = true
        try advance(to: time + period)
    }

    /// Goes back by a frame, and stays there.
    func stepBack() throws {
        isPaused = true
        try seek(to: max(0, time - period))
    }

    /// Begins again and goes on.
    func restart() throws {
        try begin()
        isPaused = false
    }

    /// Goes faster or slower.
    func changeSpeed(by factor: Double) {
        speed = min(max(speed * factor, LivePlayer.speeds.lowerBound), LivePlayer.speeds.upperBound)
    }

    private var period: Int64 { 1_000_000_000 / Int64(plan.session.hz) }

    private func advance(to target: Int64) throws {
        let target = min(target, end)
        guard target > time else { return }
        try replay.advance(to: target)
        time = target
    }

    private func begin() throws {
        plan = Plan(copying: plan, Way(rule, plan.way.engine))
        replay = try plan.replay()
        try replay.start()
        time = 0
        figures = LiveFigures()
    }

    // MARK: - Ways

    /// Another rule, which takes over at once.
    func changeRule(by step: Int) {
        rule = neighbour(of: rule, by: step)
        replay.policy = plan.policy(by: rule)
        message = "\(rule.rawValue) takes over"
    }

    /// Another engine: what has been is played anew with it.
    func changeEngine(by step: Int) throws {
        let engine = neighbour(of: plan.way.engine, by: step)
        let now = time
        plan = Plan(copying: plan, Way(rule, engine))
        try begin()
        try advance(to: now)
        message = "\(engine.rawValue), as if from the start"
    }

    private func neighbour<Choice: CaseIterable & RawRepresentable<String>>(
        of choice: Choice, by step: Int
    ) -> Choice {
        let all = Array(Choice.allCases)
        let place = all.firstIndex { $0.rawValue == choice.rawValue } ?? 0
        return all[((place + step) % all.count + all.count) % all.count]
    }

    // MARK: - What is seen

    /// All that is to be shown now.
    var scene: LiveScene {
        var scene = LiveScene()
        scene.trace = plan.session.trace.name
        scene.policy = rule.rawValue
        scene.engine = plan.way.engine.rawValue
        scene.setting = plan.setting
        scene.hz = plan.session.hz
        scene.speed = speed
        scene.isPaused = isPaused
        scene.isHelpShown = isHelpShown
        scene.message = message
        scene.figures = figures
        scene.update(from: replay, at: time) { $0 as? LivePicture }
        figures = scene.figures
        return scene
    }
}
