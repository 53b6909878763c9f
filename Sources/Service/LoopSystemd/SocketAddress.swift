internal import LullLibC

/// The address of a Unix domain socket: a path, or an abstract name.
struct SocketAddress {
    private let address: sockaddr_un
    private let length: socklen_t

    /// Parses the value of a variable: an absolute path, or `@` and an abstract name.
    init(_ text: String, variable: String) throws(SystemdError) {
        let isAbstract = text.utf8.first == UInt8(ascii: "@")
        guard text.utf8.count > 1, isAbstract || text.utf8.first == UInt8(ascii: "/") else {
            throw .malformed(variable: variable, value: text)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            // A path ends with a zero; an abstract name begins with one, in place of the `@`.
            guard text.utf8.count <= room.count - (isAbstract ? 0 : 1) else { return false }
            unsafe room.copyBytes(from: text.utf8)
            if isAbstract { unsafe room[0] = 0 }
            return true
        }
        guard fits else { throw .addressTooLong(text) }
        self.address = address
        let start = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        length = socklen_t(start + text.utf8.count + (isAbstract ? 0 : 1))
    }

    /// Calls `body` with a pointer to the address and its length.
    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, length)
            }
        }
    }
}
