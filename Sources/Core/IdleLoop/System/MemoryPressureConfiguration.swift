internal import LullLibC

/// The sources of memory pressure events, and their thresholds.
package struct MemoryPressureConfiguration: Sendable {
    /// The kernel's file that reports pressure, `$MEMORY_PRESSURE_WATCH` unless set; nil to look for
    /// one.
    ///
    /// `/dev/null` disables monitoring.
    package var watch: String?
    /// The trigger to be written to that file, in base64: `$MEMORY_PRESSURE_WRITE` unless set.
    package var write: String?
    /// A prefix of the paths of the kernel's files, for tests.
    package var root = ""
    /// The kernel's trigger: by default, some task has stalled for 200 ms within 2 s.
    ///
    /// Without privileges, the window must be a multiple of 2 s.
    package var trigger = "some 200000 2000000"
    /// The interval at which figures are read where the kernel sends no notifications, while there
    /// is memory to free.
    package var period: Duration = .seconds(10)
    /// The share of the last 10 s, in per cent, in which some task stalled, that counts as pressure
    /// where figures are read.
    package var threshold = 10.0

    /// Creates a configuration from the environment and the defaults.
    package init() {
        watch = environment("MEMORY_PRESSURE_WATCH")
        write = environment("MEMORY_PRESSURE_WRITE")
    }
}

private func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
}
