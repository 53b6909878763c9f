import Glibc
import IdleLoop
import ReplayTerminal

// Keys, and the terminal's answers among them.
extension LiveProgram {
    func takeKeys() {
        guard let bytes = terminal.read() else {
            status = 128 + SIGHUP
            return loop.stop()
        }
        attempt {
            let (keys, isKnown) = question.take(bytes)
            if let isKnown { showByKitty(isKnown) }
            for key in LiveKey.all(in: keys) { try take(key) }
            draw()
        }
    }

    private func showByKitty(_ isKnown: Bool) {
        if isKnown {
            pictures.way = .kitty
        } else if pictures.way == .kitty {
            pictures.way = .blocks
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
}
