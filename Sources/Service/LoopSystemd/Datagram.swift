internal import LullLibC

/// Sends a datagram, with file descriptors if there are any, and returns 0 or the system's `errno`.
func sendDatagram(
    _ message: [UInt8], passing descriptors: [Int32], from socket: Int32, to address: SocketAddress
) -> Int32 {
    var message = message
    var rights = descriptors.isEmpty ? [] : rightsMessage(descriptors)
    return unsafe message.withUnsafeMutableBytes { bytes in
        unsafe rights.withUnsafeMutableBytes { rights in
            unsafe address.withPointer { name, length in
                var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var header = unsafe msghdr()
                    unsafe header.msg_name = name
                    unsafe header.msg_namelen = length
                    unsafe header.msg_iov = part
                    unsafe header.msg_iovlen = 1
                    unsafe header.msg_control = rights.isEmpty ? nil : rights.baseAddress
                    unsafe header.msg_controllen = numericCast(rights.count)
                    while unsafe sendmsg(socket, &header, Int32(MSG_NOSIGNAL)) < 0 {
                        guard errno == EINTR else { return errno }
                    }
                    return 0
                }
            }
        }
    }
}

/// Returns the control message that passes descriptors: a header, and their numbers.
private func rightsMessage(_ descriptors: [Int32]) -> [UInt8] {
    let length = MemoryLayout<cmsghdr>.size + descriptors.count * MemoryLayout<Int32>.size
    var header = cmsghdr()
    header.cmsg_len = numericCast(length)  // 32 bits in musl
    header.cmsg_level = SOL_SOCKET
    header.cmsg_type = Int32(SCM_RIGHTS)
    var bytes = unsafe withUnsafeBytes(of: &header) { unsafe Array($0) }
    bytes += unsafe descriptors.withUnsafeBytes { unsafe Array($0) }
    bytes += [UInt8](repeating: 0, count: (8 - length % 8) % 8)
    return bytes
}
