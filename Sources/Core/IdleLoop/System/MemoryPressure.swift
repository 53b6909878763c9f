internal import LullLibC

/// A monitor that calls back when memory is short, so that caches are freed in time.
///
/// ```swift
/// let pressure = MemoryPressure(on: loop) { loader.trim(to: 0) }
/// pressure.isNeeded = loader.count > 0
/// ```
///
/// It tries, in this order: the file that `$MEMORY_PRESSURE_WATCH` names (systemd 254 and later set
/// it for services), the process's own control group, the whole machine. ``source`` is the one in
/// use. Where the kernel sends notifications, waiting costs nothing. Where it doesn't (an old
/// kernel, or no permission to write to its file), its figures are read every ten seconds, and only
/// while ``isNeeded``: an idle loop with nothing to free stays asleep.
public final class MemoryPressure {
    /// A source of memory pressure events.
    public enum Source: Equatable, Sendable {
        /// No source: `$MEMORY_PRESSURE_WATCH` is `/dev/null`, which disables monitoring.
        case off
        /// The file that `$MEMORY_PRESSURE_WATCH` names.
        case service(String)
        /// The file of the process's own control group.
        case controlGroup(String)
        /// The file of the whole machine.
        case machine(String)
        /// No source: the kernel has no such figures.
        case none
    }

    /// The source of the events.
    public let source: Source
    /// Whether the figures must be read periodically.
    let isPolled: Bool
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
    private var channel: Channel?
    private var handler: (() -> Void)?
    private var watch: Watch?
    private var timer: LoopTimer?
    /// The total stall time at the last reading.
    private var stall: UInt64?

    /// A box for the channel, which is optional.
    private final class Channel {
        let channel: PressureChannel

        init(_ channel: consuming PressureChannel) {
            self.channel = channel
        }
    }

    /// Creates a monitor that calls `handler` on the loop at each pressure event, until it's
    /// cancelled or released.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - configuration: The sources to try, and the thresholds.
    ///   - handler: A closure that frees memory; work of more than a moment belongs in a lull.
    ///
    /// Traps if the configuration's period isn't longer than zero.
    public init(
        on loop: MainLoop, configuration: MemoryPressureConfiguration = .init(),
        _ handler: @escaping () -> Void
    ) {
        precondition(configuration.period > .zero, "a period is longer than zero")
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        var channel: Channel?
        var source = Source.none
        let trigger = Array(configuration.trigger.utf8) + [0]
        for candidate in Self.candidates(configuration) {
            if candidate.source == .off {
                source = .off
                break
            }
            guard
                let open = PressureChannel.open(
                    candidate.path, writing: candidate.greeting, orToFile: trigger)
            else { continue }
            channel = Channel(open)
            source = candidate.source
            break
        }
        self.channel = channel
        self.source = source
        stall = channel?.channel.stall
        isPolled = channel?.channel.kind == .figures
        listen()
    }

    deinit {
        cancel()
    }

    /// Stops monitoring; no callback is called afterwards.
    public func cancel() {
        watch?.cancel()
        watch = nil
        channel = nil
        poll()
        _ = handler.take()  // after the change: a `deinit` of what it captures may call back
    }

    private static func candidates(
        _ configuration: MemoryPressureConfiguration
    ) -> [(source: Source, path: String, greeting: [UInt8])] {
        var all: [(source: Source, path: String, greeting: [UInt8])] = []
        if let path = configuration.watch {
            if path == "/dev/null" { return [(.off, path, [])] }
            all.append((.service(path), path, configuration.write.flatMap(decodedBase64) ?? []))
        }
        for path in ControlGroup(root: configuration.root).pressureFiles {
            all.append((.controlGroup(path), path, []))
        }
        let path = "\(configuration.root)/proc/pressure/memory"
        all.append((.machine(path), path, []))
        return all
    }

    private func listen() {
        guard let channel else { return }
        switch channel.channel.kind {
        case .figures: break
        case .trigger:
            watch = try? loop.watchKernelFile(channel.channel.descriptor) { [weak self] in
                self?.triggered()
            }
        case .stream:
            watch = try? loop.watch(channel.channel.descriptor, for: .readable) {
                [weak self] _ in self?.received()
            }
        }
    }

    /// Checks whether there was pressure.
    ///
    /// The kernel reports such a file as readable when the watch begins, at each event, and
    /// whenever another process stops watching the same file.
    func triggered() {
        let stall = channel?.channel.stall
        guard stall != self.stall else {
            loop.countHousekeeping()
            return
        }
        self.stall = stall
        tell()
    }

    private func received() {
        guard let channel else { return }
        if !channel.channel.drain() {
            watch?.cancel()
            watch = nil
        }
        tell()
    }

    /// Starts or stops reading the figures periodically.
    private func poll() {
        timer?.cancel()
        timer = nil
        guard isPolled, isNeeded, channel != nil, !loop.isClosed else { return }
        let period = configuration.period
        timer = loop.schedule(after: period, every: period, tolerance: period) { [weak self] in
            guard let self else { return }
            if let share = channel?.channel.share, share >= configuration.threshold {
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
