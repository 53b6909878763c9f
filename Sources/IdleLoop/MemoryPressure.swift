/// Tells a loop when memory is short, so that what can be had again is given back in time.
///
/// ```swift
/// let pressure = MemoryPressure(on: loop) { loader.trim(to: 0) }
/// pressure.isNeeded = loader.count > 0
/// ```
///
/// It asks, in this order: what `$MEMORY_PRESSURE_WATCH` names (systemd 254 and later set it for
/// services), the process's own control group, the whole machine. ``source`` says which has answered.
/// Where the kernel tells by itself, waiting costs nothing. Where it doesn't (an old kernel, or no
/// right to write to its file) its figures are read every ten seconds, and only while ``isNeeded``:
/// an idle loop with nothing to give back stays asleep.
public final class MemoryPressure {
    /// Where pressure is learned of.
    public enum Source: Equatable, Sendable {
        /// `$MEMORY_PRESSURE_WATCH` is `/dev/null`: nobody wants to hear of it.
        case off
        /// What `$MEMORY_PRESSURE_WATCH` names.
        case service(String)
        /// The file of the process's own control group.
        case controlGroup(String)
        /// The file of the whole machine.
        case machine(String)
        /// Nowhere: the kernel has no such figures.
        case none
    }

    /// Where pressure is learned of.
    public let source: Source
    /// Whether the figures have to be read, again and again.
    let isPolled: Bool
    /// How often there was pressure so far.
    package private(set) var events = 0
    /// Whether there is something to give back; while not, figures aren't read.
    ///
    /// Nothing to anybody where the kernel tells by itself.
    public var isNeeded = false {
        didSet { if isNeeded != oldValue { poll() } }
    }

    private let loop: MainLoop
    private let configuration: MemoryPressureConfiguration
    private var channel: Channel?
    private var handler: (() -> Void)?
    private var watch: Watch?
    private var timer: LoopTimer?
    /// How long tasks had stood still when that was looked at last.
    private var stall: UInt64?

    /// The channel as an object, as it's there or not.
    private final class Channel {
        let channel: PressureChannel

        init(_ channel: consuming PressureChannel) {
            self.channel = channel
        }
    }

    /// Has `handler` called on the loop whenever there is pressure, until it's cancelled or let go of.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - configuration: Where to look, and how much counts.
    ///   - handler: Gives memory back; what takes longer than a moment belongs in a lull.
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

    /// Stops listening; nothing is called afterwards.
    public func cancel() {
        watch?.cancel()
        watch = nil
        channel = nil
        poll()
        let handler = handler
        self.handler = nil
        withExtendedLifetime(handler) {}  // until here: what it holds may call as it goes
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

    /// Looks whether there was pressure: the kernel calls such a file readable as soon as it's watched,
    /// at each event, and whenever another process stops watching the same file.
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

    /// Reads the figures from time to time, or no more.
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
