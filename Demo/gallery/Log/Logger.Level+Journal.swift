internal import Logging

extension Logger.Level {
    /// The position among all levels, from the lowest.
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The level as a syslog priority.
    var journalPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
