import DeferredLoading
import IdleLoop
import Laboratory
import LullTesting
import ReplayTerminal

/// A player of a replay on virtual time at any speed; to go back, it starts the replay again.
final class LivePlayer {
    /// The range of speeds.
    static let speeds = 1.0 / 64...64.0

    /// Whether playback is paused.
    var isPaused = false
    /// Whether the help on keys is shown.
    var isHelpShown = false
    /// A message that is shown briefly.
    var message: String?
    /// The speed as a multiple of the trace's.
    private(set) var speed: Double

    private var plan: Plan
    private var replay: Replay
    private var time = Instant.zero

    /// Creates a player of a plan's replay, at its start.
    init(_ plan: Plan, speed: Double) throws {
        var plan = plan
        plan.options.isLogged = true
        self.plan = plan
        self.speed = speed
        replay = try plan.replay()
        try replay.start()
    }

    /// The trace's end, including its tail.
    var end: Instant { replay.end }
    /// Whether the end has been reached.
    var isOver: Bool { time >= end }

    // MARK: - Playback

    /// Advances by an amount of real time.
    func pass(_ duration: Duration) throws {
        guard !isPaused, !isOver else { return }
        try advance(to: time + duration * speed)
    }

    /// Seeks to a time; to go back, the replay is started again.
    func seek(to target: Instant) throws {
        if target < time { try begin() }
        try advance(to: target)
    }

    /// Advances to the next frame, and pauses.
    func stepForward() throws {
        isPaused = true
        try advance(to: time + period)
    }

    /// Goes back by a frame, and pauses.
    func stepBack() throws {
        isPaused = true
        try seek(to: max(.zero, time - period))
    }

    /// Starts again and plays.
    func restart() throws {
        try begin()
        isPaused = false
    }

    /// Multiplies the speed by a factor.
    func changeSpeed(by factor: Double) {
        speed = min(max(speed * factor, LivePlayer.speeds.lowerBound), LivePlayer.speeds.upperBound)
    }

    private var period: Duration { .nanoseconds(1_000_000_000 / plan.scenario.hz) }

    private func advance(to target: Instant) throws {
        let target = min(target, end)
        guard target > time else { return }
        try replay.advance(to: target)
        time = target
    }

    private func begin() throws {
        replay = try plan.replay()
        try replay.start()
        time = .zero
    }

    // MARK: - Contenders

    /// Selects another rule, with immediate effect.
    func changeRule(by step: Int) {
        let rule = neighbour(of: plan.contender.rule, by: step)
        plan.play(by: Contender(rule, plan.contender.engine))
        replay.policy = plan.policy
        message = "\(rule.rawValue) takes over"
    }

    /// Selects another engine, and replays the past with it.
    func changeEngine(by step: Int) throws {
        let engine = neighbour(of: plan.contender.engine, by: step)
        let now = time
        plan.play(by: Contender(plan.contender.rule, engine))
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

    // MARK: - Scene

    /// The scene to show now.
    var scene: LiveScene {
        var scene = LiveScene()
        scene.trace = plan.scenario.trace.name
        scene.policy = plan.contender.rule.rawValue
        scene.engine = plan.contender.engine.rawValue
        scene.setting = plan.setting
        scene.hz = plan.scenario.hz
        scene.speed = speed
        scene.isPaused = isPaused
        scene.isHelpShown = isHelpShown
        scene.message = message
        scene.update(from: replay, at: time) { $0 as? LivePicture }
        return scene
    }
}
