internal import Glibc
public import ImageLoading

/// A picture that a terminal on the same machine reads from memory or from a file.
///
/// ```swift
/// let local = try KittyLocalPicture(picture)
/// terminal.write(local.transmit(as: 7, showing: .placeholders(cells)))
/// …
/// local.leaveToTerminal()  // or let go of it: what nobody has read is removed
/// ```
///
/// A terminal removes what it has read. One on another machine, or one that knows nothing of the
/// protocol, never does; so what was put there is removed when this is let go of. Keep it until
/// the terminal has had time to read it: it answers nothing.
public struct KittyLocalPicture: ~Copyable {
    /// Where the pixels are put.
    public enum Medium: Hashable, Sendable {
        /// Shared memory, which never touches a disk.
        case sharedMemory
        /// A file in a folder for temporary files; terminals remove none elsewhere.
        case temporaryFile(folder: String)
    }

    /// The name of the object or the path of the file.
    public let name: String
    /// Where the pixels are.
    public let medium: Medium
    private let size: PixelSize
    private let isOpaque: Bool
    private var isOurs = true

    /// Puts a picture where the terminal can read it, for nobody else to read.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - medium: Where its pixels are put.
    ///   - ground: What is seen where the picture is transparent; nil to keep that too.
    /// - Throws: What the system refused; nothing is left behind then.
    public init(
        _ picture: Picture, in medium: Medium = .sharedMemory, over ground: TerminalColor? = nil
    ) throws(TerminalPictureError) {
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        let name: String
        switch medium {
        case .sharedMemory: name = "/lull-\(getpid())-\(mark)"
        // Terminals look for these words before they remove a file.
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

    /// The command by which the terminal reads it: some 90 bytes.
    ///
    /// - Parameters:
    ///   - id: What the terminal will know it by, not 0.
    ///   - showing: Whether and how it's shown at once.
    /// - Returns: The command.
    public func transmit(as id: UInt32, showing: KittyPlacement = .hidden) -> [UInt8] {
        let keys = KittyGraphics.keys(of: size, isOpaque: isOpaque, as: id, showing: showing)
        let way = medium == .sharedMemory ? "s" : "t"
        return KittyGraphics.command(keys + ",t=\(way)", Base64.encoded(Array(name.utf8)))
    }

    /// Lets go of it without removing it: the terminal will.
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
