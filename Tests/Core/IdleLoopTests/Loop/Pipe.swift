import Glibc
import IdleLoop

/// A pipe whose ends don't block, closed with its owner.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() {
        var ends: [Int32] = [0, 0]
        precondition(unsafe pipe(&ends) == 0, "a pipe can be made")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    func put() {
        let byte: UInt8 = 1
        _ = unsafe withUnsafeBytes(of: byte) { unsafe write(writing, $0.baseAddress, 1) }
    }

    /// Takes out all that's there and says how much it was.
    @discardableResult
    func drain() -> Int {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var total = 0
        while case let count = unsafe read(reading, &bytes, bytes.count), count > 0 {
            total += count
        }
        return total
    }
}

/// A loop on virtual time, with its time.
func virtualLoop() throws -> (loop: MainLoop, time: VirtualTime) {
    let time = VirtualTime()
    return (try MainLoop(clock: .virtual(time)), time)
}

extension Instant {
    static func milliseconds(_ count: Int) -> Instant { .zero.advanced(by: .milliseconds(count)) }
    static func microseconds(_ count: Int) -> Instant { .zero.advanced(by: .microseconds(count)) }
}
