import CDecoders
import IdleLoop
import Workloads

/// Notes when the frames of D7 start, and whose fault it is when that is late.
final class FrameWatch {
    /// What a frame's handler takes, in nanoseconds.
    private static let work: UInt64 = 4_000_000
    /// How late a frame may start, in milliseconds.
    static let allowance = 2.5

    private var delays: [Double] = []
    private var ownDelays: [Double] = []
    private var missed = 0
    /// When the last piece of work began, on the clock and in the thread's CPU time.
    private var workStart: (time: UInt64, cpu: UInt64) = (0, 0)

    /// A piece of work begins: a slice, or a whole picture.
    func workBegins() { workStart = (now(), thread_cpu_ns()) }

    /// A frame: it notes how late it is, and then takes its time.
    func handle(_ frame: Frame) {
        // Beats that went by without a frame are part of the delay of the one that comes then.
        let due = frame.due.advanced(by: (frame.due.duration(to: frame.end) * -frame.missed))
        delays.append(due.duration(to: frame.start) / .milliseconds(1))
        ownDelays.append(Double(ownDelay(ofFrameDue: UInt64(due.nanoseconds))) / 1e6)
        missed += frame.missed
        spin(Self.work)
        workStart.time = 0  // what a next frame waits for now, if it's due, is this one
    }

    /// By how much the last piece of work went on after the frame was due, by its CPU time: without
    /// what other programs on the machine did meanwhile.
    private func ownDelay(ofFrameDue due: UInt64) -> UInt64 {
        guard workStart.time > 0 else { return 0 }
        let slack = due > workStart.time ? due - workStart.time : 0
        let used = thread_cpu_ns() - workStart.cpu
        return used > slack ? used - slack : 0
    }

    func report() {
        let late = delays.count { $0 > Self.allowance } + missed
        let figures = [
            ("frames", Double(delays.count + missed)), ("frames_late", Double(late)),
            ("latest_ms", delays.max() ?? 0), ("p99_ms", percentile(0.99, of: delays)),
            ("latest_own_ms", ownDelays.max() ?? 0),
        ]
        for (unit, value) in figures { Workloads.report("D7", ListLoading.variant, unit, value) }
    }
}
