internal import Foundation
internal import IdleLoop

/// The world's side of a trace: rings on a descriptor whenever an input comes.
///
/// The loop doesn't know beforehand when that will be, as it wouldn't in production.
final class InputFeed {
    /// The end to be watched; readable when an input has come.
    let descriptor: Int32
    private let outlet: Outlet

    /// The end that is written to, closed when nobody will write any more.
    private final class Outlet: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }

        func ring() {
            let byte: UInt8 = 1
            _ = unsafe withUnsafeBytes(of: byte) { bytes in
                unsafe send(descriptor, bytes.baseAddress, 1, Int32(MSG_NOSIGNAL))
            }
        }
    }

    init() throws(LoopError) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .system(call: "socketpair", errno: errno)
        }
        descriptor = ends[0]
        outlet = Outlet(ends[1])
    }

    deinit { close(descriptor) }

    /// Schedules the inputs at these moments of the loop's clock.
    func play(_ moments: [Instant], on clock: LoopClock) {
        switch clock {
        case .virtual(let time):
            for moment in moments { time.at(moment) { [outlet] in outlet.ring() } }
        case .monotonic:
            Thread.detachNewThread { [outlet] in
                for moment in moments {
                    InputFeed.sleep(until: moment)
                    outlet.ring()
                }
            }
        }
    }

    /// Takes note of what has rung.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while unsafe recv(descriptor, &bytes, bytes.count, 0) > 0 {}
    }

    private static func sleep(until moment: Instant) {
        let rest = LoopClock.monotonic.now.duration(to: moment)
        if rest > .zero { Thread.sleep(forTimeInterval: Double(rest.nanoseconds) / 1e9) }
    }
}
