internal import LullLibC

/// A monitor that calls back when memory is short, so that caches are freed in time.
///
/// ```swift
/// let pressure = MemoryPressure(on: loop) { loader.trim(to: 0) }
/// pressure.isNeeded = loader.count > 0
/// ```
///
/// It tries, in this order: the file that `$MEMORY_PRESSURE_WATCH` names (systemd 254 and later set
/// it for services, and `/dev/null` disables monitoring), the process's own control group, the whole
/// machine. Where the kernel sends notifications, waiting costs nothing. Where it doesn't (an old
/// kernel, or no permission to write to its file), its figures are read every ten seconds, and only
/// while ``isNeeded``: an idle loop with nothing to free stays asleep.
public final class MemoryPressure {
    /// The file that reports pressure; nil if there is none.
    private(set) var path: String?
    /// Whether the figures must be read periodically.
    var isPolled: Bool { channel?.notifies == false }
    /// The number of pressure events so far.
    package private(set) var events = 0
    /// Whether there is memory to free; while false, figures aren't read.
    ///
    /// It has no effect where the kernel sends notifications.
    public var isNeeded = false {
        didSet { if isNeeded != oldValue { poll() } }
    }

    private let loop: MainLoop
    private var channel: PressureChannel?
    private var handler: (() -> Void)?
    private var watch: Watch?
    private var timer: LoopTimer?
    /// The total stall time at the last reading.
    private var stall: UInt64?

    /// The interval at which figures are read.
    private static let period = Duration.seconds(10)
    /// The share of the last 10 s, in per cent, in which some task stalled, that counts as pressure
    /// where figures are read.
    private static let threshold = 10.0

    /// Creates a monitor that calls `handler` on the loop at each pressure event, until it's
    /// released.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - handler: A closure that frees memory; work of more than a moment belongs in a lull.
    public convenience init(on loop: MainLoop, _ handler: @escaping () -> Void) {
        self.init(on: loop, sources: PressureSources(), handler)
    }

    /// Creates a monitor with other sources to try.
    package init(on loop: MainLoop, sources: PressureSources, _ handler: @escaping () -> Void) {
        self.loop = loop
        self.handler = handler
        for (path, trigger) in sources.files where self.path == nil {
            channel = PressureChannel.open(path, writing: trigger)
            if channel?.descriptor != nil { self.path = path }
        }
        stall = channel?.stall
        guard let descriptor = channel?.descriptor, !isPolled else { return }
        watch = try? loop.watchKernelFile(descriptor) { [weak self] in self?.triggered() }
    }

    deinit {
        cancel()
    }

    /// Stops monitoring; no callback is called afterwards.
    package func cancel() {
        watch?.cancel()
        watch = nil
        channel = nil
        poll()
        _ = handler.take()  // after the change: a `deinit` of what it captures may call back
    }

    /// Checks whether there was pressure.
    ///
    /// The kernel reports such a file as readable when the watch begins, at each event, and
    /// whenever another process stops watching the same file.
    func triggered() {
        let before = stall
        stall = channel?.stall
        tell(stall != before)
    }

    /// Starts or stops reading the figures periodically.
    private func poll() {
        timer?.cancel()
        timer = nil
        guard isPolled, isNeeded, !loop.isClosed else { return }
        let period = Self.period
        timer = loop.schedule(after: period, every: period, tolerance: period) { [weak self] in
            guard let self else { return }
            tell(channel?.share ?? 0 >= Self.threshold)
        }
    }

    private func tell(_ isPressing: Bool) {
        guard isPressing else { return loop.countHousekeeping() }
        events += 1
        handler?()
    }
}

/// The sources of memory pressure events.
package struct PressureSources: Sendable {
    /// The kernel's file that reports pressure, `$MEMORY_PRESSURE_WATCH` unless set; nil to look for
    /// one.
    ///
    /// `/dev/null` disables monitoring.
    package var watch = environment("MEMORY_PRESSURE_WATCH")
    /// The trigger to be written to that file, in base64: `$MEMORY_PRESSURE_WRITE` unless set.
    package var write = environment("MEMORY_PRESSURE_WRITE")
    /// A prefix of the paths of the kernel's files, for tests.
    package var root = ""
    /// The kernel's trigger: by default, some task has stalled for 200 ms within 2 s.
    ///
    /// Without privileges, the window must be a multiple of 2 s.
    package var trigger = "some 200000 2000000"

    /// Creates the sources that the environment and the kernel offer.
    package init() {}

    /// The files to try, in this order, each with its trigger.
    var files: [(path: String, trigger: [UInt8])] {
        if watch == "/dev/null" { return [] }
        let trigger = Array(trigger.utf8) + [0]
        let own = write.flatMap(decodedBase64) ?? []
        let service = watch.map { ($0, own.isEmpty ? trigger : own) }
        let kernel = groupFiles + ["\(root)/proc/pressure/memory"]
        return [service].compactMap(\.self) + kernel.map { ($0, trigger) }
    }

    /// The files of the process's control group, in version 2 of the kernel's interface.
    private var groupFiles: [String] {
        let text = fileText("\(root)/proc/self/cgroup") ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::/") }
        guard let group = line?.dropFirst(3) else { return [] }
        return ["", "/unified"].map {
            "\(root)/sys/fs/cgroup\($0)\(group == "/" ? "" : group)/memory.pressure"
        }
    }
}

private func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
}
