internal import Glibc
public import ImageLoading

/// A picture that a terminal on the same machine reads from memory or from a file.
///
/// ```swift
/// let local = try KittyLocalPicture(picture)
/// terminal.write(local.transmit(as: 7, showing: .placeholders(cells)))
/// …
/// local.leaveToTerminal()  // or release it, which removes what wasn't read
/// ```
///
/// A terminal removes what it has read. A terminal on another machine, or without support for the
/// protocol, never does; so the data is removed when this value is released. Keep it until the
/// terminal has had time to read it: there is no response.
public struct KittyLocalPicture: ~Copyable {
    /// The medium of a picture's pixels.
    public enum Medium: Hashable, Sendable {
        /// Shared memory, which never touches a disk.
        case sharedMemory
        /// A file in a directory for temporary files; terminals remove no files elsewhere.
        case temporaryFile(folder: String)
    }

    /// The name of the shared memory object, or the path of the file.
    public let name: String
    /// The medium of the pixels.
    public let medium: Medium
    private let size: PixelSize
    private let isOpaque: Bool
    private var isOurs = true

    /// Writes a picture to a place where the terminal can read it, accessible to its owner alone.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - medium: The medium of the pixels.
    ///   - ground: The background colour where the picture is transparent; nil to keep the alpha
    ///     channel.
    /// - Throws: The system's error; nothing is left behind then.
    public init(
        _ picture: Picture, in medium: Medium = .sharedMemory, over ground: TerminalColor? = nil
    ) throws(TerminalPictureError) {
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        let name: String
        switch medium {
        case .sharedMemory: name = "/lull-\(getpid())-\(mark)"
        // Terminals remove a file only if its name contains `tty-graphics-protocol`.
        case .temporaryFile(let folder): name = "\(folder)/tty-graphics-protocol-lull-\(mark)"
        }
        self.name = name
        self.medium = medium
        size = picture.size
        isOpaque = ground != nil || picture.isOpaque
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file: Int32
        let call: String
        switch medium {
        case .sharedMemory:
            file = unsafe shm_open(name, flags, 0o600)
            call = "shm_open"
        case .temporaryFile:
            file = unsafe open(name, flags, 0o600)
            call = "open"
        }
        guard file >= 0 else { throw .system(call: call, errno: errno) }
        defer { close(file) }
        let bytes = isOpaque ? picture.opaqueBytes(over: ground ?? .black) : picture.straightBytes
        if let failure = KittyLocalPicture.write(bytes, to: file) {
            KittyLocalPicture.remove(name, medium)
            throw .system(call: "write", errno: failure)
        }
    }

    deinit { if isOurs { KittyLocalPicture.remove(name, medium) } }

    /// Returns the command by which the terminal reads the picture, about 90 bytes.
    ///
    /// - Parameters:
    ///   - id: The picture's ID in the terminal, not 0.
    ///   - showing: The placement in which the picture is shown immediately, if any.
    /// - Returns: The command.
    public func transmit(as id: UInt32, showing: KittyPlacement = .hidden) -> [UInt8] {
        let keys = KittyGraphics.keys(of: size, isOpaque: isOpaque, as: id, showing: showing)
        let way = medium == .sharedMemory ? "s" : "t"
        return KittyGraphics.command(keys + ",t=\(way)", Base64.encoded(Array(name.utf8)))
    }

    /// Releases the picture without removing it, because the terminal will.
    public consuming func leaveToTerminal() { isOurs = false }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    private static func remove(_ name: String, _ medium: Medium) {
        switch medium {
        case .sharedMemory: _ = unsafe shm_unlink(name)
        case .temporaryFile: _ = unsafe unlink(name)
        }
    }
}
