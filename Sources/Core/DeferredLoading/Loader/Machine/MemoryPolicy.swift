internal import LullLibC

/// The rules for what is kept, what is evicted, and what is worth loading when memory is short.
///
/// It decides by a table of entries, and changes nothing.
struct MemoryPolicy {
    typealias Entry = LoadEntry

    /// The next thing to give up.
    enum Victim {
        /// A load in progress that is started over later.
        case inProgress(Entry)
        /// A load that nobody wants any more.
        case leftOver(Entry)
        /// A value or a failure.
        case settled(Entry)
    }

    /// The maximum number of loads that take slices in turn, since each keeps its decoder.
    private static let begunAtOnce = 4

    private(set) var limits: LoaderConfiguration
    let table: LoadTable

    init(limits: LoaderConfiguration, table: LoadTable) {
        self.limits = limits
        self.table = table
        if let bytes = limits.byteLimit { limitBytes(to: bytes) }
    }

    /// Changes the limit of bytes, half of which is for work in progress.
    mutating func limitBytes(to count: Int) {
        limits.byteLimit = count
        table.limitWork(to: count / 2)
    }

    private var byteLimit: Int { limits.byteLimit ?? .max }
    private var isOverBytes: Bool { table.sums.bytes > byteLimit }
    private var isOverCount: Bool { table.sums.settled > limits.capacity }

    // MARK: - Eviction

    /// The next thing to give up; nil if the limits are kept, or the rest is needed.
    var nextVictim: Victim? {
        if let excess = nextExcessWork { return .inProgress(excess) }
        guard table.isBounded, isOverCount || isOverBytes else { return nil }
        let settled = isOverCount ? table.nextEvictable : table.nextWithBytes
        if isOverBytes, settled?.isWanted != false,
            let unwanted = table.leftOver.first(where: { $0.bytes > 0 })
        {
            return .leftOver(unwanted)
        }
        return settled.map { .settled($0) }
    }

    /// The least urgent load in progress out of view, while too many are begun, or all of them take
    /// too much memory.
    ///
    /// The load that was begun last has its turn, however many there are. One that holds no memory
    /// gives none back: it would be begun again at once.
    private var nextExcessWork: Entry? {
        let isOverWork = table.sums.workBytes > table.workLimit
        guard isOverWork || table.sums.begun > Self.begunAtOnce else { return nil }
        let (work, begun) = (table.inProgress, table.inProgress.filter(\.takesSlices))
        return (isOverWork ? work.filter { $0.bytes > 0 } : begun.dropLast())
            .filter { !$0.isInView }.max { $0.order ?? .last < $1.order ?? .last }
    }

    /// The limit that is exceeded, in explanations of decisions.
    var exceededLimit: String {
        isOverBytes ? "\(byteLimit) bytes" : "\(limits.capacity) values"
    }

    // MARK: - Admission

    /// Returns the expected maximum number of bytes that a key will hold.
    ///
    /// It is not only the size of its value: otherwise the key could be admitted, evict another
    /// while it is loaded, and be evicted by that in turn, for ever.
    private func expectedBytes(of entry: Entry) -> Int {
        guard limits.byteLimit != nil else { return 0 }
        let sums = table.sums
        let mean = sums.needed == 0 ? 0 : sums.neededBytes / sums.needed
        return entry.mostBytes > 0 ? entry.mostBytes : mean
    }

    /// Returns the number of bytes that other values and loads hold, or are known to need; what is
    /// evicted first isn't counted.
    private func bytes(beside entry: Entry) -> Int {
        table.sums.neededBytes + table.sums.unsettledBytes - entry.bytes
    }

    /// Returns whether a wanted key is worth loading: it is subscribed to, or there is room for it,
    /// or it is more urgent than a value that is kept.
    func admits(_ entry: Entry) -> Bool {
        guard table.isBounded, !entry.isSubscribed else { return true }
        guard hasRoomToWork(on: entry) else { return false }
        let sums = table.sums
        if sums.needed + sums.queued < limits.capacity,
            bytes(beside: entry) + expectedBytes(of: entry) <= byteLimit
        {
            return true
        }
        return isWorthExchange(entry)
    }

    /// Returns whether the memory that work on a key is known to take is free, or taken by less urgent
    /// work out of view.
    private func hasRoomToWork(on entry: Entry) -> Bool {
        guard entry.mostBytes > 0, !entry.isInView, let order = entry.order else { return true }
        let others = table.inProgress.reduce(0) {
            $0 + ($1.isInView || $1.order ?? .last <= order ? $1.bytes : 0)
        }
        return others + entry.mostBytes <= table.workLimit
    }

    /// Returns whether a key is more urgent than the value that it would replace, beside those which
    /// others in the queue replace, and that value's room is enough.
    private func isWorthExchange(_ entry: Entry) -> Bool {
        guard let least = table.nextEvictable, least.isWanted,
            table.hasLessUrgent(than: entry, moreThan: table.sums.queued)
        else { return false }
        return bytes(beside: entry) - least.bytes + expectedBytes(of: entry) <= byteLimit
    }

    /// Checks that work in progress keeps its limits.
    func checkInvariants() {
        let (sums, work) = (table.sums, table.inProgress)
        precondition(
            sums.begun <= Self.begunAtOnce
                || work.filter(\.takesSlices).dropLast().allSatisfy(\.isInView),
            "few loads are begun at once")
        precondition(
            sums.workBytes <= table.workLimit
                || work.allSatisfy { $0.isInView || $0.bytes == 0 },
            "work out of view has its part of the limit")
    }
}
