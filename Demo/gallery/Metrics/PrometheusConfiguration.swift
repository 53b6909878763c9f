/// The limits of the metrics that are kept, and their help texts.
public struct PrometheusConfiguration: Sendable {
    /// The most series, so that labels from outside can't fill the memory.
    public var series = 1000
    /// The characters of a label's value that are told; what is alike so far is one series.
    public var labelLength = 120
    /// The upper bounds of the buckets into which timers count, ascending.
    public var times: [Duration] = [
        .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500),
        .milliseconds(1), .milliseconds(2), .milliseconds(4), .milliseconds(8),
        .milliseconds(16), .milliseconds(33), .milliseconds(100), .milliseconds(250),
        .milliseconds(500), .seconds(1), .seconds(3), .seconds(10),
    ]
    /// The upper bounds of the buckets into which recorders count, ascending.
    public var sizes: [Double] = [
        1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_048_576, 4_194_304,
    ]
    /// The help texts by labels, for `# HELP`; there is none for others.
    ///
    /// Those of a loop are known already.
    public var help: [String: String] = [:]

    /// The defaults.
    public init() {}
}
