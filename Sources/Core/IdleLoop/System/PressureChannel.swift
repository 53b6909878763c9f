internal import CLullLibevent
internal import LullLibC

/// An open source of memory pressure events.
struct PressureChannel: ~Copyable {
    let descriptor: Int32
    /// Whether the kernel notifies through the file, whose descriptor is always reported as readable;
    /// else it must be read periodically.
    let notifies: Bool

    private init(_ descriptor: Int32, notifies: Bool) {
        self.descriptor = descriptor
        self.notifies = notifies
    }

    deinit { close(descriptor) }

    /// Opens the file at a path; returns nil if it reports nothing.
    ///
    /// It reports nothing until it's written to: the trigger, with a zero at its end.
    static func open(_ path: String, writing trigger: [UInt8]) -> PressureChannel? {
        var status = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let flags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = unsafe LullLibC.open(path, O_RDWR | flags)
        if file >= 0 {
            // Nothing is written to an ordinary file.
            if lull_is_kernel_file(file) == 1, write(trigger, to: file) {
                return PressureChannel(file, notifies: true)
            }
            close(file)
        }
        let figures = unsafe LullLibC.open(path, O_RDONLY | flags)
        guard figures >= 0 else { return nil }
        let channel = PressureChannel(figures, notifies: false)
        guard channel.share != nil else { return nil }
        return consume channel
    }

    /// The share of the last 10 s in which some task stalled for memory, in per cent.
    var share: Double? { figure("avg10").flatMap { Double($0) } }

    /// The total time for which some task has stalled for memory, in microseconds.
    var stall: UInt64? { figure("total").flatMap { UInt64($0) } }

    /// Returns the value of a field in the file's first line: `some avg10=0.12 avg60=…`.
    private func figure(_ name: String) -> Substring? {
        guard let line = descriptorText(descriptor)?.prefix(while: { $0 != "\n" }),
            line.hasPrefix("some ")
        else { return nil }
        let field = line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        return field?.dropFirst(name.count + 1)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe LullLibC.write(descriptor, bytes.baseAddress, bytes.count)
        }
        return count == bytes.count
    }
}
