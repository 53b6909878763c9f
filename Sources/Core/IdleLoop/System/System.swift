internal import CLullLibevent
internal import LullLibC

/// Returns whether a descriptor is open in this process.
func isOpen(_ descriptor: Int32) -> Bool {
    descriptor >= 0 && fcntl(descriptor, F_GETFD) != -1
}

/// Returns whether a signal exists and can have a handler.
func isCatchable(signal number: Int32) -> Bool {
    number > 0 && number < 65 && number != SIGKILL && number != SIGSTOP
}

/// The identity of an open file, by which it is told from another under the same number.
///
/// Some kinds of files, such as eventfds, have one identity for all.
struct WatchedFile: Equatable {
    private let device: dev_t
    private let number: ino_t
    private let kind: mode_t

    /// The file behind a descriptor that can be waited for.
    ///
    /// Throws `badDescriptor`, or `notPollable` for what is always ready: files, folders, and what
    /// the kernel doesn't let wait, as /dev/null.
    init(pollable descriptor: Int32) throws(LoopError) {
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
            throw .badDescriptor(descriptor)
        }
        (device, number, kind) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT)
        guard kind != S_IFREG, kind != S_IFDIR else { throw .notPollable(descriptor) }
        let queue = epoll_create1(Int32(O_CLOEXEC))
        guard queue >= 0 else { return }  // no more descriptors: the loop's own queue may do
        defer { close(queue) }
        var event = unsafe epoll_event(events: 0, data: epoll_data_t())
        guard unsafe epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) != 0 else { return }
        switch errno {
        case EPERM: throw .notPollable(descriptor)
        case EBADF: throw .badDescriptor(descriptor)
        default: return
        }
    }
}

/// Returns whether a process of this number exists, including one that has ended but wasn't reaped.
func processExists(_ number: Int32) -> Bool {
    number > 0 && (kill(number, 0) == 0 || errno == EPERM)
}

/// Returns the content of a file; nil if it can't be opened.
func fileText(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = ""
    while let part = descriptorText(file, from: text.utf8.count), !part.isEmpty { text += part }
    return text
}

/// Returns the content of an open file from an offset, at most 4 KiB; nil if it can't be read.
func descriptorText(_ descriptor: Int32, from offset: Int = 0) -> String? {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
        let count = unsafe pread(descriptor, room.baseAddress, room.count, offset)
        guard count >= 0 else { return nil }
        return unsafe String(decoding: room[..<count], as: UTF8.self)
    }
}

/// Decodes base64 text (RFC 4648, section 4); returns nil if it's malformed.
package func decodedBase64(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    for digit in digits {
        let value: UInt8
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        default: return nil
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return count == 6 ? nil : bytes
}

/// Returns freed memory to the system, as far as the allocator can.
///
/// It takes from 0.5 ms, with one thread, to 4 ms.
package func returnFreedMemory() {
    // Where another allocator has replaced glibc's, as a sanitizer's does, glibc's is initialised by
    // the first call, which isn't safe from two threads at once.
    trimming.withLock { _ in lull_return_freed_memory() }
}

private let trimming = Guarded(())
