internal import IdleLoop

/// Keeps decoded pictures, by their bytes, for the rows that show them again.
///
/// ```swift
/// let cache = PictureCache(limit: 32 << 20)
/// cache.insert(picture, for: request, stamp)
/// cache.pin(request)                      // a row shows it
/// cache.picture(for: request, stamp)      // nil if the file has changed since
/// ```
///
/// What rows show is pinned and stays, whatever it takes. Of the rest goes first what was shown
/// longest ago; what was never shown, as it was loaded ahead, has a quarter of the room, and of that
/// the oldest goes first. A picture that takes more than a quarter of the room is kept only while
/// it's pinned.
///
/// A picture that is no longer kept may still be held by somebody. Such live pictures are counted
/// apart, see ``liveBytes``, and one of them that is asked for again needn't be decoded again.
///
/// One cache may serve several loaders of one loop. All is O(1), expected, besides what it lets go.
public final class PictureCache {
    struct Entry {
        let tether: PictureTether
        let stamp: FileStamp?

        var bytes: Int { tether.pixels.count }
    }

    /// A picture that was let go of here, and perhaps not everywhere.
    private struct Former {
        weak var tether: PictureTether?
        let stamp: FileStamp?
    }

    /// How many bytes are kept; pinned pictures may take more.
    public let limit: Int
    /// How often a picture that was asked for was there.
    public private(set) var hits = 0
    /// How often it was not.
    public private(set) var misses = 0
    /// How many pictures were let go of to make room.
    public private(set) var evictions = 0
    /// How many bytes are kept, with those that are pinned.
    public private(set) var bytes = 0
    /// How many bytes of them are pinned.
    public private(set) var pinnedBytes = 0

    private var pins: [PictureRequest: Int] = [:]
    private var pinned: [PictureRequest: Entry] = [:]
    private var shown = RecencyTable<PictureRequest, Entry>()
    private var ahead = RecencyTable<PictureRequest, Entry>()
    private var aheadBytes = 0
    private var former: [PictureRequest: Former] = [:]
    private let tally = LiveTally()

    /// A cache of so many bytes: ``usualLimit`` unless said.
    public init(limit: Int = PictureCache.usualLimit) {
        precondition(limit > 0, "a cache keeps some bytes")
        self.limit = limit
    }

    /// 32 MB, or a twentieth of what the machine has and the process's control group may have, if
    /// that is less.
    public static var usualLimit: Int { usualLimit(machineMemory(), ControlGroup().memoryLimit) }

    static func usualLimit(_ machine: Int, _ group: Int?) -> Int {
        max(1, min(32 << 20, min(machine, group ?? .max) / 20))
    }

    /// The most bytes that a picture may take to be kept when it isn't pinned.
    public var entryLimit: Int { limit / 4 }
    /// How many pictures are kept.
    public var count: Int { pinned.count + shown.count + ahead.count }
    /// How many pictures that are not kept here are still held elsewhere.
    public var liveCount: Int { tally.count - count }
    /// How many bytes they have.
    public var liveBytes: Int { tally.bytes - bytes }

    /// Keeps a picture, in place of what was kept of the request.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - request: What it was asked for as.
    ///   - stamp: The state that its file had before it was decoded.
    /// - Returns: The same picture, to be handed out: copies of it are known to be live.
    @discardableResult
    public func insert(
        _ picture: Picture, for request: PictureRequest, _ stamp: FileStamp?
    ) -> Picture {
        remove(request)
        former[request] = nil
        let tether = PictureTether(picture, counting: tally)
        keep(Entry(tether: tether, stamp: stamp), for: request)
        return tether.picture
    }

    /// The picture of a request, if it's kept, or held by somebody, and of this state of the file.
    public func picture(for request: PictureRequest, _ stamp: FileStamp?) -> Picture? {
        if let entry = pinned[request] ?? shown[request] ?? ahead[request] {
            guard entry.stamp == stamp else {
                remove(request)
                misses += 1
                return nil
            }
            hits += 1
            return entry.tether.picture
        }
        guard let past = former[request], past.stamp == stamp, let tether = past.tether else {
            misses += 1
            return nil
        }
        hits += 1
        former[request] = nil
        keep(Entry(tether: tether, stamp: stamp), for: request)
        return tether.picture
    }

    /// Whether a request's picture is kept, or held by somebody, of whatever state of the file.
    public func contains(_ request: PictureRequest) -> Bool {
        pinned[request] != nil || shown[request] != nil || ahead[request] != nil
            || former[request]?.tether != nil
    }

    /// Lets go of a request's picture, pinned or not, as its file has changed, say.
    public func remove(_ request: PictureRequest) {
        guard let entry = take(request) else { return }
        bytes -= entry.bytes
    }

    // MARK: - Pins

    /// Notes that one more row shows the request's picture, whether it's here yet or not.
    public func pin(_ request: PictureRequest) {
        pins[request, default: 0] += 1
        guard pins[request] == 1, let entry = take(request) else { return }
        pinned[request] = entry
        pinnedBytes += entry.bytes
    }

    /// Notes that one row less shows it; now the time that it was last shown at counts.
    ///
    /// What no row shows stays as it is.
    public func unpin(_ request: PictureRequest) {
        guard let count = pins[request] else { return }
        pins[request] = count > 1 ? count - 1 : nil
        guard count == 1, let entry = take(request) else { return }
        if entry.bytes <= entryLimit {
            shown.insert(entry, for: request)
        } else {
            forget(entry, of: request)
        }
        makeRoom()
    }

    // MARK: - Room

    /// Lets go of all that isn't pinned, as memory is short.
    ///
    /// - Returns: How many bytes that was.
    @discardableResult
    public func trim() -> Int {
        let before = bytes
        while let (request, entry) = ahead.removeOldest() ?? shown.removeOldest() {
            forget(entry, of: request)
        }
        aheadBytes = 0
        return before - bytes
    }

    private func keep(_ entry: Entry, for request: PictureRequest) {
        bytes += entry.bytes
        if pins[request] != nil {
            pinned[request] = entry
            pinnedBytes += entry.bytes
        } else if entry.bytes > entryLimit {
            forget(entry, of: request)
        } else {
            ahead.insert(entry, for: request)
            aheadBytes += entry.bytes
        }
        makeRoom()
    }

    private func makeRoom() {
        while bytes > limit {
            let isFull = aheadBytes > limit / 4 || shown.isEmpty
            guard let (request, entry) = isFull ? ahead.removeOldest() : shown.removeOldest()
            else { return }
            if isFull { aheadBytes -= entry.bytes }
            evictions += 1
            forget(entry, of: request)
        }
    }

    /// Takes a request's entry out of where it is.
    private func take(_ request: PictureRequest) -> Entry? {
        if let entry = pinned.removeValue(forKey: request) {
            pinnedBytes -= entry.bytes
            return entry
        }
        if let entry = ahead.remove(request) {
            aheadBytes -= entry.bytes
            return entry
        }
        return shown.remove(request)
    }

    /// Lets go of an entry that was taken out, and remembers it as long as somebody else doesn't.
    private func forget(_ entry: Entry, of request: PictureRequest) {
        bytes -= entry.bytes
        former[request] = Former(tether: entry.tether, stamp: entry.stamp)
        // Those that are gone everywhere are swept out when they're the greater part.
        guard former.count > 2 * (liveCount + 16) else { return }
        former = former.filter { $0.value.tether != nil }
    }

    /// Checks that the sums are those of the pictures.
    ///
    /// O(n), for tests.
    public func checkInvariants() {
        shown.checkInvariants()
        ahead.checkInvariants()
        let entries = (shown.keys.map { shown[$0] } + ahead.keys.map { ahead[$0] }).compactMap(
            \.self)
        let loose = entries.reduce(0) { $0 + $1.bytes }
        let kept = pinned.values.reduce(0) { $0 + $1.bytes }
        precondition(kept == pinnedBytes && loose + kept == bytes, "the sums are kept")
        let early = ahead.keys.reduce(0) { $0 + (ahead[$1]?.bytes ?? 0) }
        precondition(early == aheadBytes, "and that of what came ahead")
        precondition(bytes <= limit || loose == 0, "only what is pinned may take more")
        precondition(pinned.keys.allSatisfy { pins[$0] != nil }, "what is pinned has a pin")
        precondition(
            (shown.keys + ahead.keys).allSatisfy { pins[$0] == nil }, "and nothing else has")
        precondition(entries.allSatisfy { $0.bytes <= entryLimit }, "nothing kept is too large")
        precondition(liveCount >= 0 && liveBytes >= 0, "what is kept is alive")
        precondition(former.count <= 2 * (liveCount + 16) + 1, "few are remembered")
    }
}
