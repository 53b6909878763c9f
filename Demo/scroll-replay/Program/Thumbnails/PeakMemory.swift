import Glibc

/// The peak growth of this process's resident memory.
///
/// The system's peak value is reset first if that is permitted. Otherwise only growth beyond the
/// previous peak counts.
struct PeakMemory {
    private let start: Int64

    /// Starts the measurement.
    init() {
        let isReset = PeakMemory.resetMark()
        let memory = PeakMemory.figures()
        start = isReset ? memory.now : memory.peak
    }

    /// The peak in bytes above the start.
    var growth: Int64 { max(0, PeakMemory.figures().peak - start) }

    private static func resetMark() -> Bool {
        let file = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return unsafe write(file, "5", 1) == 1
    }

    /// Returns the current and the peak resident bytes; without /proc, only the peak since the
    /// start.
    private static func figures() -> (now: Int64, peak: Int64) {
        let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            var usage = rusage()
            unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            let peak = Int64(usage.ru_maxrss) << 10
            return (peak, peak)
        }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe read(file, bytes.baseAddress, bytes.count)
        }
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        func kilobytes(_ name: String) -> Int64 {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Int64($0.filter(\.isWholeNumber)) } ?? 0
        }
        return (kilobytes("VmRSS:") << 10, kilobytes("VmHWM:") << 10)
    }
}
