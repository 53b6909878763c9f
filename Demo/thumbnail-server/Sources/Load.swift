import Foundation
import Synchronization

/// A client that measures how long /healthz takes, also while others ask for thumbnails.
struct Load {
    let port: Int

    /// Asks for /healthz every 5 ms, for five seconds.
    func quiet() -> Latencies {
        let end = ContinuousClock.now + .seconds(5)
        return healthz { ContinuousClock.now < end }
    }

    /// Asks for /healthz every 5 ms, until four others have got so many thumbnails.
    func busy(thumbnails count: Int) -> (latencies: Latencies, time: Duration) {
        let start = ContinuousClock.now
        let done = Done()
        for first in 0..<4 {
            Thread.detachNewThread { [self] in
                let connection = Connection(port: port)
                for number in stride(from: first, to: count, by: 4) {
                    precondition(connection.get("/thumbnail/\(number)") > 1000, "it's made")
                }
                done.count.add(1, ordering: .relaxed)
            }
        }
        let latencies = healthz { done.count.load(ordering: .relaxed) < 4 }
        return (latencies, ContinuousClock.now - start)
    }

    private final class Done: Sendable {
        let count = Atomic(0)
    }

    private func healthz(while isNeeded: () -> Bool) -> Latencies {
        let connection = Connection(port: port)
        var latencies = Latencies()
        var due = ContinuousClock.now
        while isNeeded() {
            let wait = due - ContinuousClock.now
            if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
            precondition(connection.get("/healthz") == 2, "the server is well")
            // Since it was due: a request that waited for the one before has waited, too.
            latencies.add(ContinuousClock.now - due)
            due += .milliseconds(5)
        }
        return latencies
    }
}

/// The latencies of some requests.
struct Latencies {
    private var values: [Duration] = []

    var count: Int { values.count }

    mutating func add(_ value: Duration) { values.append(value) }

    /// The latency that this share of the requests doesn't exceed, in milliseconds.
    func percentile(_ share: Double) -> Double {
        let place = min(values.count - 1, Int(Double(values.count) * share))
        return place < 0 ? 0 : values.sorted()[place] / .milliseconds(1)
    }
}

/// A connection on which one request after the other is made, each answered before the next.
private final class Connection {
    private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private var room = [UInt8](repeating: 0, count: 1 << 16)

    init(port: Int) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = in_addr_t(UInt32(0x7F00_0001).bigEndian)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(result == 0, "the server listens")
    }

    deinit { close(socket) }

    /// Returns the number of bytes of the answer's body.
    func get(_ path: String) -> Int {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        precondition(unsafe write(socket, request, request.count) == request.count)
        var (head, body): ([UInt8], Int?) = ([], nil)
        while true {
            let count = unsafe read(socket, &room, room.count)
            precondition(count > 0, "an answer comes")
            guard let missing = body else {
                head += room[..<count]
                guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
                let text = String(decoding: head[..<end.lowerBound], as: UTF8.self).lowercased()
                let length = text.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                let size = length.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
                body = size - (head.count - end.upperBound)
                if body == 0 { return size }
                head = Array("\(size)".utf8)
                continue
            }
            body = missing - count
            if body == 0 { return Int(String(decoding: head, as: UTF8.self)) ?? 0 }
        }
    }
}
