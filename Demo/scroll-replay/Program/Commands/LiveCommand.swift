import ArgumentParser
import IdleLoop
import LullTesting
import ReplayTerminal

/// `scroll-replay live`: plays a trace at the speed at which it was recorded.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "Plays a trace in the terminal, at its own pace.",
        discussion: Help.live)

    @OptionGroup var played: PlayArguments

    @Option(help: "How many times as fast as it was.")
    var speed = 1.0

    @Option(
        help: ArgumentHelp(
            "How rows' pictures are shown: blocks, kitty (its graphics), none, or auto, which asks.",
            valueName: "way"))
    var pictures = PictureChoice.blocks

    @Flag(help: "Quit at the end.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Print the screen as it is then, and quit; may be given several times.",
            valueName: "seconds"))
    var at: [Double] = []

    @Option(help: "Print so many screens, evenly from start to end, and quit.")
    var frames: Int?

    @OptionGroup var screen: ScreenArguments
    @OptionGroup var arguments: ReplayArguments

    func validate() throws {
        guard LivePlayer.speeds.contains(speed) else {
            throw ValidationError("--speed is from 1/64 to 64")
        }
        guard at.allSatisfy({ (0...86_400).contains($0) }) else {
            throw ValidationError("--at is from 0 to 86400 s")
        }
        try check("--frames", Double(frames ?? 1), 1...10_000)
        if arguments.clock == .real {
            throw ValidationError("live plays virtual time at a pace; --clock real is for run")
        }
    }

    func run() throws {
        try orExit {
            let prints = !at.isEmpty || frames != nil
            guard prints || LiveTerminal.isThere else {
                say(
                    "scroll-replay: live needs a terminal; --at SECONDS or --frames N print screens"
                )
                throw ExitCode(64)
            }
            let plan = try played.plan(arguments)
            let player = try LivePlayer(plan, speed: speed)
            if prints { return try emit(screens(of: player).joined(separator: "\n")) }
            let program = try LiveProgram(
                player, depth: screen.depth, pictures: pictures, quitsAtEnd: once)
            if let status = try program.run() { throw ExitCode(status) }
        }
    }

    /// Returns the screens at some times, as text.
    private func screens(of player: LivePlayer) throws -> [String] {
        let size = screen.size ?? Terminal.size ?? ScreenSize(width: 80, height: 24)
        var times = at.map { Instant(nanoseconds: Int64(($0 * 1e9).rounded())) }
        if let frames {
            let step = player.end.nanoseconds / Int64(max(1, frames - 1))
            times += (0..<Int64(frames)).map { Instant(nanoseconds: step * $0) }
        }
        let made = LivePictures(pictures == .none ? .none : .blocks)
        return try times.sorted().flatMap { time in
            try player.seek(to: time)
            player.isPaused = false
            let grid = LiveScreen.grid(
                of: player.scene, width: size.width, height: size.height, depth: screen.depth,
                pictures: made)
            _ = made.takeCommands()
            return grid.lines(in: screen.depth)
        }
    }
}
