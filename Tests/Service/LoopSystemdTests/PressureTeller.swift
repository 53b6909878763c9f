import Glibc
import Testing

/// Tells a service of memory pressure, by a pipe or by a socket that it connects to.
final class PressureTeller {
    enum Kind: CaseIterable { case pipe, socket }

    private let kind: Kind
    private let path: String
    private var listener: Int32 = -1
    private var connection: Int32 = -1

    init(_ kind: Kind, at path: String) throws {
        self.kind = kind
        self.path = path
        switch kind {
        case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
        case .socket: listener = try StreamSocket.listen(at: path)
        }
    }

    deinit {
        for descriptor in [listener, connection] where descriptor >= 0 { close(descriptor) }
    }

    /// Takes the service's connection, and says how it greeted; nil by a pipe, which isn't greeted.
    func greeting() -> String? {
        guard kind == .socket else { return nil }
        connection = accept(listener, nil, nil)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe read(connection, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// Says that memory is short.
    func tell() {
        let writer = kind == .pipe ? unsafe open(path, O_WRONLY | O_CLOEXEC) : connection
        #expect(unsafe write(writer, "x", 1) == 1)
        if kind == .pipe { close(writer) }
    }
}
