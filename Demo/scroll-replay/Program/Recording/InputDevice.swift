import Glibc
import LullTesting

/// An input device of the kernel, a file of its events, or standard input.
final class InputDevice {
    /// The vertical axis, as the device describes it.
    struct Axis {
        let minimum: Int
        let maximum: Int
        let resolution: Int
        let isOfSlots: Bool
    }

    let descriptor: Int32
    private let path: String

    /// Opens the device; `-` is standard input.
    init(_ path: String) throws(TraceError) {
        self.path = path
        // For a FIFO this waits for the other end; for a device it never does.
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw TraceError(unreadable: path, errno: errno) }
        // The monotonic clock, if the device supports the choice.
        var clock = CLOCK_MONOTONIC
        _ = unsafe ioctl(descriptor, Self.setClock, &clock)
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// The vertical axis of touches; nil if the device has none, or the file is no device.
    var axis: Axis? {
        for (code, isOfSlots) in [(0x36 as UInt, true), (1, false)] {
            // The kernel's `input_absinfo`: value, minimum, maximum, fuzz, flat, resolution.
            var info: [Int32] = [0, 0, 0, 0, 0, 0]
            guard unsafe ioctl(descriptor, Self.describeAxis + code, &info) >= 0 else { continue }
            return Axis(
                minimum: Int(info[1]), maximum: Int(info[2]), resolution: Int(info[5]),
                isOfSlots: isOfSlots)
        }
        return nil
    }

    /// Whether the device points, as touchpads do, and whether it is touched directly, as
    /// touchscreens are; nil if it is no device.
    var properties: (isPointer: Bool, isDirect: Bool)? {
        var bits: UInt32 = 0
        guard unsafe ioctl(descriptor, Self.listProperties, &bits) >= 0 else { return nil }
        return (isPointer: bits & 1 != 0, isDirect: bits & 2 != 0)
    }

    /// Returns the next bytes; an empty array at the end, nil if none are available now.
    func read() throws(TraceError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64 * 24)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        // The device was unplugged.
        if count < 0, errno == ENODEV { return [] }
        guard count >= 0 else { throw TraceError(unreadable: path, errno: errno) }
        return Array(bytes[..<count])
    }

    /// The requests EVIOCSCLOCKID, EVIOCGABS(0), and EVIOCGPROP of 4 bytes.
    private static let setClock: UInt = 0x4004_45A0
    private static let describeAxis: UInt = 0x8018_4540
    private static let listProperties: UInt = 0x8004_4509
}
