import Glibc
import Testing

/// Local sockets that carry streams; whoever gets a descriptor closes it.
enum StreamSocket {
    /// A socket that takes connections at a path.
    static func listen(at path: String) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(unsafe withAddress(path) { unsafe bind(number, $0, $1) } == 0)
        try #require(Glibc.listen(number, 8) == 0)
        return number
    }

    /// A connection to the one at a path.
    static func connect(to path: String) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(unsafe withAddress(path) { unsafe Glibc.connect(number, $0, $1) } == 0)
        return number
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, length)
            }
        }
    }
}
