internal import Glibc

/// Where memory pressure is looked for, and how much of it counts.
public struct MemoryPressureConfiguration: Sendable {
    /// The file, pipe or socket that tells of it, `$MEMORY_PRESSURE_WATCH` unless set; nil for the
    /// kernel's own files.
    ///
    /// `/dev/null` says that nobody wants to hear of it.
    public var watch: String?
    /// What that file or socket is written first, in base64: `$MEMORY_PRESSURE_WRITE` unless set.
    package var write: String?
    /// What stands before the paths of the kernel's files, for tests.
    package var root = ""
    /// When the kernel tells of it: some task has stood still for 200 ms of 2 s.
    ///
    /// Who has no privileges is only given windows that are a multiple of 2 s.
    public var trigger = "some 200000 2000000"
    /// How often the kernel is asked where it can't tell, while there is something to give back.
    public var period: Duration = .seconds(10)
    /// The part of the last 10 s in which some task stood still that counts as pressure, in per
    /// cent, where the kernel has to be asked.
    public var threshold = 10.0

    /// What the environment says, and the defaults.
    public init() {
        watch = environment("MEMORY_PRESSURE_WATCH")
        write = environment("MEMORY_PRESSURE_WRITE")
    }
}

private func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
}
