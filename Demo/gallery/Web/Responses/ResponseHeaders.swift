/// The headers of a reply: the program's valid ones, and those of every reply.
struct ResponseHeaders {
    private(set) var fields: [(name: String, value: String)]

    /// The security headers of every reply, including libevent's own error pages.
    static let security: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'; "
                + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// The names of headers that only the server sets.
    private static let reserved = Set(
        security.map { $0.name.lowercased() }
            + [
                "connection", "content-length", "transfer-encoding", "keep-alive", "upgrade",
                "server",
            ]
    )

    /// Drops headers whose name is invalid, whose value contains control bytes (a line break would
    /// begin another header), or that only the server sets.
    init(_ own: [(String, String)]) {
        fields = Self.security
        for (name, value) in own where Self.isAllowed(name, value) { fields.append((name, value)) }
    }

    mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Returns headers as lines of a head.
    static func lines(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    }

    private static func isAllowed(_ name: String, _ value: String) -> Bool {
        RequestField.isName(name.utf8) && RequestField.isValue(value.utf8)
            && !reserved.contains(name.lowercased())
    }
}
