/// The limits of the metrics, and their help texts.
public struct PrometheusConfiguration: Sendable {
    /// The maximum number of series, so that labels from outside can't exhaust memory.
    public var series = 1000
    /// The maximum number of characters of a label's value; values that are equal up to it are one
    /// series.
    public var labelLength = 120
    /// The upper bounds of the buckets of timers, ascending.
    public var times: [Duration] = [
        .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500),
        .milliseconds(1), .milliseconds(2), .milliseconds(4), .milliseconds(8),
        .milliseconds(16), .milliseconds(33), .milliseconds(100), .milliseconds(250),
        .milliseconds(500), .seconds(1), .seconds(3), .seconds(10),
    ]
    /// The upper bounds of the buckets of recorders, ascending.
    public var sizes: [Double] = [
        1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_048_576, 4_194_304,
    ]
    /// The help texts by labels, for `# HELP`; other metrics have none.
    ///
    /// Those of a loop are built in.
    public var help: [String: String] = [:]

    /// Creates the default configuration.
    public init() {}
}
