import IdleLoop

/// A loop on virtual time, with its time.
func virtualLoop() throws -> (loop: MainLoop, time: VirtualTime) {
    let time = VirtualTime()
    return (try MainLoop(clock: .virtual(time)), time)
}

extension Instant {
    static func milliseconds(_ count: Int) -> Instant { .zero.advanced(by: .milliseconds(count)) }
    static func microseconds(_ count: Int) -> Instant { .zero.advanced(by: .microseconds(count)) }
}
