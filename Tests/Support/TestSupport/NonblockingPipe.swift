import Glibc

/// A pipe whose ends don't block, closed with its owner.
public final class NonblockingPipe: Sendable {
    /// The descriptor of the end that is read.
    public let reading: Int32
    /// The descriptor of the end that is written.
    public let writing: Int32

    /// Opens a pipe, which programs that are started don't inherit.
    public init() {
        var ends: [Int32] = [0, 0]
        precondition(unsafe pipe(&ends) == 0, "a pipe can be made")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Writes a byte, if there is room.
    public func put() {
        let byte: UInt8 = 1
        _ = unsafe withUnsafeBytes(of: byte) { unsafe write(writing, $0.baseAddress, 1) }
    }

    /// Reads all that is there, and returns how much it was.
    @discardableResult
    public func drain() -> Int {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var total = 0
        while case let count = unsafe read(reading, &bytes, bytes.count), count > 0 {
            total += count
        }
        return total
    }
}
