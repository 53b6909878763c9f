import GalleryFiles
import Glibc

/// What a worker found in a folder.
struct FolderListing: Sendable {
    /// What came of reading it.
    enum Outcome: Sendable {
        /// The pictures in their order, and the folders in it with the numbers that tell one from
        /// another of the same name.
        case listed(pictures: [ListedPicture], folders: [[UInt8]: UInt64])
        /// It isn't there, or isn't a folder.
        case gone
        /// It may not be read.
        case refused
        /// What may pass.
        case failed(FileError)
    }

    /// Under which the system tells of changes since before the folder was read.
    private(set) var watch: FolderWatch?
    /// Why it doesn't.
    private(set) var watchError: FileError?
    private(set) var outcome: Outcome

    /// What has the system tell of an open folder's changes.
    typealias Watching = @Sendable (borrowing OpenFile) throws(FileError) -> FolderWatch

    /// Watches and reads a folder; the disk may be slow.
    init(
        of path: FilePath, in folder: PictureFolder, limits: CatalogueLimits,
        watching watch: Watching?
    ) {
        outcome = .gone
        do throws(FileError) {
            let opened = try folder.openFolder(path)
            if let watch {
                do throws(FileError) {
                    self.watch = try watch(opened)
                } catch {
                    watchError = error
                }
            }
            outcome = try Self.read(opened, path, folder, limits)
        } catch {
            outcome = Self.outcome(error)
        }
    }

    private static func outcome(_ error: FileError) -> Outcome {
        guard case .system(_, let errno) = error else { return .failed(error) }
        return switch errno {
        case ENOENT, ENOTDIR, ELOOP, EXDEV, ENAMETOOLONG: .gone
        case EACCES, EPERM: .refused
        default: .failed(error)
        }
    }

    private static func read(
        _ opened: borrowing OpenFile, _ path: FilePath, _ folder: PictureFolder,
        _ limits: CatalogueLimits
    ) throws(FileError) -> Outcome {
        var folders: [[UInt8]: UInt64] = [:]
        var files: [FolderEntry] = []
        var unknown: [FolderEntry] = []
        try opened.forEachEntry { entry in
            guard entry.name.first != UInt8(ascii: ".") else { return true }
            switch entry.kind {
            // Of each one more than there may be, so that it's told that there are.
            case .folder where folders.count <= limits.folders: folders[entry.name] = entry.inode
            case .regular where files.count <= limits.rows, .link where files.count <= limits.rows:
                if isPicture(entry.name) { files.append(entry) }
            case .unknown: unknown.append(entry)
            default: break
            }
            return unknown.count <= limits.rows + limits.folders
        }
        for entry in unknown {
            guard let facts = try facts(of: entry, opened, path, folder) else { continue }
            if facts.kind == .folder {
                folders[entry.name] = entry.inode
            } else if isPicture(entry.name) {
                files.append(entry)
            }
        }
        files.sort { NaturalOrder.compare($0.name, $1.name) < 0 }
        var pictures: [ListedPicture] = []
        pictures.reserveCapacity(files.count)
        for entry in files {
            guard let facts = try facts(of: entry, opened, path, folder), facts.kind == .regular,
                let file = path.appending(entry.name)
            else { continue }
            pictures.append(
                ListedPicture(path: file, stamp: facts.stamp, byteCount: facts.byteCount))
        }
        return .listed(pictures: pictures, folders: folders)
    }

    /// What a name stands for; nil if that isn't to be had.
    ///
    /// A link stands for what it leads to, unless that's outside.
    private static func facts(
        of entry: FolderEntry, _ opened: borrowing OpenFile, _ path: FilePath,
        _ folder: PictureFolder
    ) throws(FileError) -> FileFacts? {
        do throws(FileError) {
            guard entry.kind == .link else { return try opened.facts(of: entry.name) }
            return try path.appending(entry.name).map { file throws(FileError) in
                try folder.facts(of: file)
            }
        } catch {
            // Without descriptors or memory nothing is known, rather than that nothing is there.
            if case .system(_, let errno) = error, [EMFILE, ENFILE, ENOMEM].contains(errno) {
                throw error
            }
            return nil
        }
    }

    /// Whether a name is a picture's, by its end.
    static func isPicture(_ name: [UInt8]) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let end = name[(dot + 1)...].map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return endings.contains(end)
    }

    private static let endings: Set<[UInt8]> = Set(
        ["jpg", "jpeg", "png", "webp", "gif"].map { Array($0.utf8) })
}
