import CLoopHelpers
import Dispatch
import Foundation
import IdleLoop
import Synchronization

/// How long a task of the main actor waits that another thread creates, and what wakes a loop that
/// nobody asks for anything.
///
/// Prints, in milliseconds, p50, p99 and the longest wait beside nothing else, the same beside an
/// endless job in slices, and how often the process has slept, which is how often it was woken, in a rest
/// of five seconds.
@MainActor
final class Measurement {
    private let host: Host
    private let loop: MainLoop
    private let queue: IdleQueue<Int>
    private let kind: String

    init(of kind: HostKind, on host: Host) throws {
        self.kind = kind.rawValue
        self.host = host
        loop = try host.makeLoop()
        queue = IdleQueue(on: loop)
    }

    func begin() throws {
        let measurement = self
        let code = startThread {
            let waits = Waits()
            let idle = waits.measure()
            DispatchQueue.main.sync { MainActor.assumeIsolated { measurement.beginJob() } }
            let busy = waits.measure()
            DispatchQueue.main.sync { MainActor.assumeIsolated { measurement.endJob() } }
            usleep(1_000_000)  // what the process has done before is over
            let before = Measurement.sleepsOfOthers()
            usleep(5_000_000)
            let wakeUps = Measurement.sleepsOfOthers() - before
            DispatchQueue.main.async {
                MainActor.assumeIsolated { measurement.end(idle, busy, wakeUps) }
            }
        }
        precondition(code == 0, "a thread can be started")
    }

    private func beginJob() {
        queue.submit(0) { slot in
            while !slot.isOver {}
            return .again
        }
    }

    private func endJob() { queue.cancel(0) }

    private func end(_ idle: String, _ busy: String, _ wakeUps: Int) {
        let name = kind.padding(toLength: 12, withPad: " ", startingAt: 0)
        print(name, idle, busy, String(format: "%8d", wakeUps))
        queue.close()
        loop.close()
        host.stop()
    }

    /// How often all threads of the process but the calling one have slept.
    private nonisolated static func sleepsOfOthers() -> Int {
        let folder = "/proc/self/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let own = "\(lull_number_of_thread())"
        return threads.filter { $0 != own }.reduce(0) { sum, thread in
            let path = "\(folder)/\(thread)/status"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}

/// Waits of tasks, from their creation on this thread to their first line on the main thread.
private struct Waits {
    private static let count = 1000

    private final class Wait: Sendable {
        let time = Atomic<Int64>(0)
    }

    func measure() -> String {
        let end = DispatchSemaphore(value: 0)
        let wait = Wait()
        var waits: [Double] = []
        for number in 0..<Waits.count {
            usleep(UInt32(1000 + number * 7919 % 4000))
            let start = LoopClock.monotonic.now
            Task { @MainActor in
                wait.time.store(LoopClock.monotonic.now.since(start), ordering: .relaxed)
                end.signal()
            }
            end.wait()
            waits.append(Double(wait.time.load(ordering: .relaxed)) / 1e6)
        }
        waits.sort()
        return [waits[Waits.count / 2], waits[Waits.count * 99 / 100], waits[Waits.count - 1]]
            .map { String(format: "%8.3f", $0) }.joined()
    }
}
