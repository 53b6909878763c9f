internal import LullLibC

/// Sends a datagram, and returns 0 or the system's `errno`.
func sendDatagram(_ message: [UInt8], from socket: Int32, to address: SocketAddress) -> Int32 {
    unsafe message.withUnsafeBytes { bytes in
        unsafe address.withPointer { name, length in
            while unsafe sendto(
                socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL),
                name, length) < 0
            {
                guard errno == EINTR else { return errno }
            }
            return 0
        }
    }
}
