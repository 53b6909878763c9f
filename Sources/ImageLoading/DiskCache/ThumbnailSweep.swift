import Glibc

/// Removes from a thumbnail cache what is beyond its bound, the longest unused first, in steps.
///
/// Only thumbnails are touched, by their names, and files that a process of this package left
/// half-written more than an hour ago. It keeps 48 bytes for each entry while it runs.
public final class ThumbnailSweep {
    /// How far it has come, with what it holds there.
    private enum Stage: ~Copyable {
        case between
        case reading(FolderReader)
        case removing
        case ended
    }

    private static let (looks, removals) = (32, 8)
    private static let leftoverAge = 3600

    /// How many files it has removed.
    public private(set) var removedFiles = 0
    /// What they took, each in whole blocks of 4096 bytes.
    public private(set) var removedBytes = 0

    private let folders: [String]
    private let limit: Int?
    private let oldest: Int?
    private let now: Int
    private var nextFolder = 0
    private var entries = OldestFirst<SweptEntry>()
    private var keptBytes = 0
    private var stage = Stage.between

    init(of folders: [String], bound: ThumbnailBound, now: Duration) {
        self.folders = folders
        limit = bound.bytes.map { $0 - ThumbnailUpkeep.reserve(of: $0) }
        self.now = Int(now.components.seconds)
        oldest = bound.age.map { [now = self.now] in now - Int($0.components.seconds) }
    }

    /// What a file counts: most file systems give it whole blocks.
    static func cost(of bytes: Int) -> Int { (max(0, bytes) + 4095) & ~4095 }

    /// Looks at 32 files, or removes 8.
    ///
    /// - Returns: Whether that was all. A further step does nothing.
    public func step() -> Bool {
        switch exchange(&stage, with: .ended) {
        case .between:
            guard nextFolder < folders.count else {
                stage = .removing
                return false
            }
            nextFolder += 1
            // A folder that isn't there has nothing to remove.
            if let reader = FolderReader(folders[nextFolder - 1]) {
                stage = .reading(reader)
            } else {
                stage = .between
            }
        case .reading(var reader):
            for _ in 0..<Self.looks {
                guard let name = reader.next() else {
                    stage = .between
                    return false
                }
                look(at: name, in: reader)
            }
            stage = .reading(reader)
        case .removing:
            for _ in 0..<Self.removals {
                guard let limit, keptBytes > limit, let entry = entries.pop() else { return true }
                if remove(entry) { keptBytes -= entry.cost }
            }
            stage = .removing
        case .ended: return true
        }
        return false
    }

    private func look(at name: String, in reader: borrowing FolderReader) {
        if EntryFile.isTemporary(name) {
            let status = reader.status(of: name)
            if let status, status.lastChange.seconds < now - Self.leftoverAge {
                remove(name, of: status.bytes, from: reader)
            }
        } else if limit != nil || oldest != nil, let digest = ThumbnailDigest(ofEntry: name),
            let status = reader.status(of: name)
        {
            let entry = SweptEntry(
                lastUse: status.lastUse, bytes: status.bytes, folder: nextFolder - 1, digest: digest
            )
            if let oldest, entry.lastUse.seconds < oldest {
                remove(name, of: status.bytes, from: reader)
            } else {
                keptBytes += entry.cost
                if limit != nil { entries.push(entry) }
            }
        }
    }

    private func remove(_ name: String, of bytes: Int, from reader: borrowing FolderReader) {
        if reader.remove(name) { count(Self.cost(of: bytes)) }
    }

    /// Removes an entry, unless it was used or replaced since it was looked at; says whether its
    /// room is free.
    private func remove(_ entry: SweptEntry) -> Bool {
        let path = "\(folders[entry.folder])/\(entry.digest.entryName)"
        guard let status = FileStatus(of: path) else { return true }
        guard status.lastUse == entry.lastUse, unsafe unlink(path) == 0 else { return false }
        count(entry.cost)
        return true
    }

    private func count(_ bytes: Int) {
        removedFiles += 1
        removedBytes += bytes
    }
}
