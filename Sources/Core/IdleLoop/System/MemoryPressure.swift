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
    private let configuration: MemoryPressureConfiguration
    private var channel: PressureChannel?
    private var handler: (() -> Void)?
    private var watch: Watch?
    private var timer: LoopTimer?
    /// The total stall time at the last reading.
    private var stall: UInt64?

    /// Creates a monitor that calls `handler` on the loop at each pressure event, until it's
    /// released.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - handler: A closure that frees memory; work of more than a moment belongs in a lull.
    public convenience init(on loop: MainLoop, _ handler: @escaping () -> Void) {
        self.init(on: loop, configuration: MemoryPressureConfiguration(), handler)
    }

    /// Creates a monitor with other sources to try, and other thresholds.
    ///
    /// Traps if the configuration's period isn't longer than zero.
    package init(
        on loop: MainLoop, configuration: MemoryPressureConfiguration,
        _ handler: @escaping () -> Void
    ) {
        precondition(configuration.period > .zero, "a period is longer than zero")
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        for (path, trigger) in Self.candidates(configuration) where self.path == nil {
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

    private static func candidates(
        _ configuration: MemoryPressureConfiguration
    ) -> [(path: String, trigger: [UInt8])] {
        let trigger = Array(configuration.trigger.utf8) + [0]
        if configuration.watch == "/dev/null" { return [] }
        let own = configuration.write.flatMap(decodedBase64) ?? []
        let service = configuration.watch.map { ($0, own.isEmpty ? trigger : own) }
        let kernel =
            ControlGroup(root: configuration.root).pressureFiles
            + ["\(configuration.root)/proc/pressure/memory"]
        return [service].compactMap(\.self) + kernel.map { ($0, trigger) }
    }

    /// Checks whether there was pressure.
    ///
    /// The kernel reports such a file as readable when the watch begins, at each event, and
    /// whenever another process stops watching the same file.
    func triggered() {
        let stall = channel?.stall
        guard stall != self.stall else {
            loop.countHousekeeping()
            return
        }
        self.stall = stall
        tell()
    }

    /// Starts or stops reading the figures periodically.
    private func poll() {
        timer?.cancel()
        timer = nil
        guard isPolled, isNeeded, !loop.isClosed else { return }
        let period = configuration.period
        timer = loop.schedule(after: period, every: period, tolerance: period) { [weak self] in
            guard let self else { return }
            if let share = channel?.share, share >= configuration.threshold {
                tell()
            } else {
                loop.countHousekeeping()
            }
        }
    }

    private func tell() {
        events += 1
        handler?()
    }
}
