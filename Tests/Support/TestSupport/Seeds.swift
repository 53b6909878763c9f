import Glibc

/// Returns the seeds that a test is run with: the first tenth of all, at least one, or all of them
/// where `LULL_SEEDS=all` is in the environment.
///
/// A random program is drawn from its seed, so that each failure can be repeated.
public func seeds(_ all: some RandomAccessCollection<UInt64>) -> [UInt64] {
    let setting = unsafe getenv("LULL_SEEDS").map { unsafe String(cString: $0) }
    return Array(all.prefix(setting == "all" ? all.count : max(1, all.count / 10)))
}
