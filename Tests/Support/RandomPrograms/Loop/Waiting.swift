internal import IdleLoop

/// What a task waits for on its loop, without keeping that.
struct Waiting {
    private weak let loop: MainLoop?
    private let clock: TaskClock?

    init(on loop: MainLoop) {
        self.loop = loop
        clock = loop.clock.isVirtual ? loop.taskClock : nil
    }

    /// Waits for others, a moment, or a lull; on the machine's clock for a lull only, as a task that
    /// yields leaves the loop there.
    func wait(as choice: Int) async {
        switch choice {
        case 0 where clock != nil: await Task.yield()
        case 1: try? await clock?.sleep(for: .milliseconds(3))
        default:
            guard let loop else { return }
            _ = await loop.idle()
        }
    }
}

extension LoopClock {
    /// Whether time passes only when a loop says so.
    var isVirtual: Bool {
        if case .virtual = self { true } else { false }
    }
}
