internal import Glibc

/// A proxy, or a network of proxies, whose statements about its clients are believed.
///
/// ```swift
/// TrustedProxy("10.0.0.0/8")
/// TrustedProxy("unix")  // whoever may connect to a unix socket
/// ```
public enum TrustedProxy: Sendable, Equatable {
    /// All peers on unix sockets.
    case unix
    /// The addresses that share their first bits with this one, in the notation of IPv6.
    case network([UInt8], bits: Int)

    /// Parses `ADDRESS`, `ADDRESS/BITS` or `unix`; nil if the text is neither, or if an address has
    /// bits behind the network's.
    public init?(_ text: String) {
        if text == "unix" {
            self = .unix
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = SocketName(digits: parts[0]), let address = name.address
        else { return nil }
        let most = name.family == AF_INET ? 32 : 128
        var bits = most
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy(\.isDigit), let number = Int(parts[1]), number <= most
            else { return nil }
            bits = number
        }
        bits += 128 - most
        guard address == Self.prefix(address, bits) else { return nil }
        self = .network(address, bits: bits)
    }

    /// Returns whether a peer is one of these.
    func contains(_ peer: SocketName) -> Bool {
        switch self {
        case .unix: peer.family == AF_UNIX
        case .network(let network, let bits):
            peer.address.map { Self.prefix($0, bits) == network } ?? false
        }
    }

    /// Returns an address of which only the first bits are kept.
    private static func prefix(_ address: [UInt8], _ bits: Int) -> [UInt8] {
        address.enumerated().map { index, byte in
            byte & ~UInt8(truncatingIfNeeded: 0xff >> max(0, min(8, bits - 8 * index)))
        }
    }
}
