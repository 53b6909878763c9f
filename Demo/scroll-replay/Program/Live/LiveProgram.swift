import Glibc
import IdleLoop
import ReplayTerminal
import TerminalPictures

/// The live screen as a program on a main loop: keys from a descriptor, pictures at frames.
///
/// The replay has its own loop on virtual time, which is advanced in each frame.
final class LiveProgram {
    private static let period = Duration.nanoseconds(33_333_333)

    private let player: LivePlayer
    private let depth: InkDepth
    private let choice: PictureChoice
    private let pictures: LivePictures
    private let isTmux = Terminal.facts.isTmux
    private var query = GraphicsQuery()
    private let quitsAtEnd: Bool
    private let loop: MainLoop
    private let terminal = LiveTerminal()
    private var frames: FrameSource?
    private var shown: Grid?
    private var last = Instant.zero
    private var messageEnd = Instant.distantFuture
    private var status: Int32?
    private var failure: (any Error)?

    /// Creates a program that shows a player in a number of colours.
    init(
        _ player: LivePlayer, depth: InkDepth, pictures choice: PictureChoice, quitsAtEnd: Bool
    ) throws {
        self.player = player
        self.depth = depth
        self.choice = choice
        // Other programs in the same terminal are unlikely to use these numbers.
        pictures = LivePictures(
            choice.firstMethod(in: depth), firstID: (UInt32(bitPattern: getpid()) & 0xFFFF) << 8 + 1
        )
        self.quitsAtEnd = quitsAtEnd
        loop = try MainLoop()
    }

    /// Runs until it is told to quit; returns the exit status if a signal told it.
    ///
    /// The terminal is restored in every case.
    func run() throws -> Int32? {
        defer { loop.close() }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            try loop.watch(signal: number) { [unowned self] in
                status = 128 + number
                loop.stop()
            }
        }
        try loop.watch(signal: SIGWINCH) { [unowned self] in redraw() }
        try loop.watch(signal: SIGTSTP) { [unowned self] in rest() }
        try loop.watch(0, for: .readable) { [unowned self] _ in takeKeys() }
        terminal.enter()
        defer { leave() }
        if choice.asks(Terminal.facts, depth: depth) {
            terminal.write(String(decoding: query.ask(), as: UTF8.self))
        }
        last = loop.clock.now
        frames = loop.frames(every: LiveProgram.period, name: "screen") { [unowned self] _ in
            attempt { try showFrame() }
        }
        try loop.run()
        frames?.cancel()
        if let failure { throw failure }
        return status
    }

    /// Suspends the program on Control-Z; the shell has the terminal until it continues.
    private func rest() {
        leave()
        raise(SIGSTOP)
        terminal.enter()
        last = loop.clock.now
        redraw()
    }

    /// Restores the terminal and deletes this program's pictures from it.
    private func leave() {
        pictures.forgetSent()
        send(pictures.takeCommands())
        terminal.leave()
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failure = error
            loop.stop()
        }
    }

    // MARK: - Keys, and the terminal's answers among them

    private func takeKeys() {
        guard let bytes = terminal.read() else {
            status = 128 + SIGHUP
            return loop.stop()
        }
        attempt {
            let (keys, isKnown) = query.take(bytes)
            if let isKnown { showByKitty(isKnown) }
            for key in LiveKey.all(in: keys) { try take(key) }
            draw()
        }
    }

    private func showByKitty(_ isKnown: Bool) {
        if isKnown {
            pictures.method = .kitty
        } else if pictures.method == .kitty {
            pictures.method = .blocks
            player.message = "this terminal has no kitty graphics: half blocks"
            messageEnd = loop.clock.now.advanced(by: .seconds(2))
        }
    }

    private func take(_ key: LiveKey) throws {
        switch key {
        case .pause: player.isPaused.toggle()
        case .forward: try player.stepForward()
        case .back: try player.stepBack()
        case .restart: try player.restart()
        case .faster: player.changeSpeed(by: 2)
        case .slower: player.changeSpeed(by: 0.5)
        case .rule(let step): player.changeRule(by: step)
        case .engine(let step): try player.changeEngine(by: step)
        case .help: player.isHelpShown.toggle()
        case .quit: loop.stop()
        }
        if player.message != nil { messageEnd = loop.clock.now.advanced(by: .seconds(2)) }
    }

    // MARK: - Pictures

    private func showFrame() throws {
        let now = loop.clock.now
        try player.pass(last.duration(to: now))
        last = now
        if now >= messageEnd {
            player.message = nil
            messageEnd = .distantFuture
        }
        draw()
        if player.isOver, quitsAtEnd { loop.stop() }
    }

    private func draw() {
        // A terminal that is behind gets only the next frame, not all that have become due.
        guard terminal.isReady else { return wake() }
        let size = Terminal.size ?? ScreenSize(width: 80, height: 24)
        let grid = LiveScreen.grid(
            of: player.scene, width: size.width, height: size.height, depth: shownDepth,
            pictures: pictures)
        let changes = grid.changes(from: shown, in: shownDepth)
        send(pictures.takeCommands(), changes)
        shown = grid
        // While nothing moves there are no frames, and the loop sleeps.
        let isStill =
            (player.isPaused || player.isOver) && player.message == nil && !pictures.isBehind
        if isStill { frames?.pause() } else { wake() }
    }

    /// The number of colours in use; terminals with kitty's graphics have all, and pictures need
    /// them.
    private var shownDepth: InkDepth { pictures.method == .kitty ? .full : depth }

    /// Writes commands for pictures, followed by text, at once.
    private func send(_ commands: [UInt8], _ text: String = "") {
        let wrapped = isTmux ? TmuxPassthrough.wrapped(commands) : commands
        if wrapped.isEmpty, text.isEmpty { return }
        terminal.show(wrapped + Array(text.utf8))
    }

    private func wake() {
        guard frames?.isActive == false else { return }
        last = loop.clock.now
        frames?.resume()
    }

    private func redraw() {
        shown = nil
        pictures.forgetSent()
        terminal.write("\u{1B}[2J")
        draw()
    }
}
