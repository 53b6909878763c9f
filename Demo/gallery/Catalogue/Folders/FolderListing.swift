import GalleryFiles
import Glibc

/// The result of listing a folder on a worker.
struct FolderListing: Sendable {
    /// The outcome of reading a folder.
    enum Outcome: Sendable {
        /// The pictures in order, the subfolders with the inode numbers that distinguish folders of
        /// the same name, and the names of unsupported files.
        case listed(
            pictures: [ListedPicture], folders: [[UInt8]: UInt64], unsupported: Set<[UInt8]>)
        /// The folder doesn't exist, or isn't a folder.
        case gone
        /// The folder may not be read.
        case refused(FileError)
        /// A temporary error.
        case failed(FileError)
    }

    /// The folder's watch, which reports changes from before it was read.
    private(set) var watch: FolderWatch?
    /// The reason why there is no watch.
    private(set) var watchError: FileError?
    private(set) var outcome: Outcome
    /// The number of examined names.
    private(set) var entriesRead = 0

    /// The call that watches an open folder.
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
            outcome = try Self.read(opened, path, folder, limits, &entriesRead)
        } catch {
            outcome = Self.outcome(error)
        }
    }

    private static func outcome(_ error: FileError) -> Outcome {
        guard case .system(_, let errno) = error else { return .failed(error) }
        return switch errno {
        case ENOENT, ENOTDIR, ELOOP, EXDEV, ENAMETOOLONG: .gone
        case EACCES, EPERM: .refused(error)
        default: .failed(error)
        }
    }

    private static func read(
        _ opened: borrowing OpenFile, _ path: FilePath, _ folder: PictureFolder,
        _ limits: CatalogueLimits, _ entriesRead: inout Int
    ) throws(FileError) -> Outcome {
        var folders: [[UInt8]: UInt64] = [:]
        var files: [FolderEntry] = []
        var unsupported: Set<[UInt8]> = []
        var unknown: [FolderEntry] = []
        try opened.forEachEntry { entry in
            entriesRead += 1
            guard entry.name.first != UInt8(ascii: ".") else { return true }
            switch entry.kind {
            // One more than the limit is kept, so that the excess is detected.
            case .folder where folders.count <= limits.folders: folders[entry.name] = entry.inode
            case .regular where files.count <= limits.rows, .link where files.count <= limits.rows:
                if isPicture(entry.name) {
                    files.append(entry)
                } else if entry.kind == .regular, isUnsupported(entry.name),
                    unsupported.count < limits.rows
                {
                    unsupported.insert(entry.name)
                }
            case .unknown: unknown.append(entry)
            default: break
            }
            return unknown.count <= limits.rows + limits.folders
        }
        for entry in unknown {
            guard let facts = try facts(of: entry.name, isLink: false, opened, path, folder)
            else { continue }
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
            guard
                let facts = try facts(
                    of: entry.name, isLink: entry.kind == .link, opened, path, folder),
                let file = path.appending(entry.name),
                let picture = ListedPicture(at: file, facts)
            else { continue }
            pictures.append(picture)
        }
        return .listed(pictures: pictures, folders: folders, unsupported: unsupported)
    }

    /// Returns the facts of a file; nil if they are not available.
    ///
    /// A link has the facts of its target, unless that is outside the folder.
    private static func facts(
        of name: [UInt8], isLink: Bool, _ opened: borrowing OpenFile, _ path: FilePath,
        _ folder: PictureFolder
    ) throws(FileError) -> FileFacts? {
        do throws(FileError) {
            guard isLink else { return try opened.facts(of: name) }
            return try path.appending(name).map { file throws(FileError) in
                try folder.facts(of: file)
            }
        } catch {
            // Without descriptors or memory the file's existence is unknown, so this must not
            // return nil.
            if case .system(_, let errno) = error, [EMFILE, ENFILE, ENOMEM].contains(errno) {
                throw error
            }
            return nil
        }
    }

    /// Returns whether a name is a picture's, by its extension.
    private static func isPicture(_ name: [UInt8]) -> Bool {
        PictureType.shown[PictureType.ending(of: name)] != nil
    }

    /// Returns whether a name is that of a picture or video in a format that isn't shown.
    private static func isUnsupported(_ name: [UInt8]) -> Bool {
        PictureType.unsupported.contains(PictureType.ending(of: name))
    }
}
