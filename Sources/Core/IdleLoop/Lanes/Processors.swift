internal import CLullLibevent
internal import LullLibC

/// The processors that this process may use.
package enum Processors {
    /// The number of processors that the process may use at once, by its affinity and the quotas of its
    /// control groups; one at least.
    package static var usable: Int {
        let quota = quotas(of: fileText("/proc/self/cgroup") ?? "") {
            fileText("/sys/fs/cgroup\($0)")
        }
        let count = Double(lull_usable_processors())
        return max(1, Int(min(count, quota.min() ?? count)))
    }

    /// Returns the quotas of a process's control groups and of those they are in, in processors.
    ///
    /// `membership` is the content of `/proc/self/cgroup`, and `read` returns that of a file of the
    /// control groups.
    static func quotas(of membership: String, read: (String) -> String?) -> [Double] {
        membership.split(separator: "\n").flatMap { line -> [Double] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            let controllers = fields[1].split(separator: ",")
            guard controllers.isEmpty || controllers.contains("cpu") else { return [] }
            return parents(of: String(fields[2])).compactMap { group in
                controllers.isEmpty
                    ? quota(read("\(group)/cpu.max"))
                    : quota(
                        read("/cpu\(group)/cpu.cfs_quota_us"),
                        read("/cpu\(group)/cpu.cfs_period_us"))
            }
        }
    }

    /// Returns the path of a group, and those of the groups that it's in.
    private static func parents(of path: String) -> [String] {
        let names = path.split(separator: "/")
        return (0...names.count).map { names.prefix($0).map { "/\($0)" }.joined() }
    }

    /// Returns a quota that is given as the microseconds in a period, and those of the period.
    private static func quota(_ texts: String?...) -> Double? {
        let words = texts.flatMap { ($0 ?? "").split { $0 == " " || $0 == "\n" } }
        guard words.count == 2, let time = Double(words[0]), let period = Double(words[1]),
            time > 0, period > 0
        else { return nil }
        return time / period
    }
}
