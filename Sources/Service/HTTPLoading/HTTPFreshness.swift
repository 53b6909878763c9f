internal import CLullCurl

/// The freshness of a response, by RFC 9111 for a private cache.
///
/// Times are since 1970, and all are whole seconds.
struct HTTPFreshness: Equatable {
    /// The maximum heuristic lifetime, which is derived from the last modification if nothing else
    /// is given.
    static let guessLimit = Duration.seconds(86_400)

    /// The age at which the response becomes stale.
    let lifetime: Duration
    private let age: Duration
    private let answered: Duration

    /// Computes the freshness of a response from the times of the request and of the response.
    init(of head: ResponseHead, asked: Duration, answered: Duration) {
        let control = CacheDirectives(head.fields["cache-control"] ?? "")
        let date = head.time("date") ?? answered
        let told = head.fields["age"].map(CacheDirectives.time) ?? .zero
        age = max(.zero, answered - date, told + max(.zero, answered - asked))
        self.answered = answered
        lifetime =
            if control.has("no-cache") {
                .zero
            } else if let limit = control.time("max-age") {
                limit
            } else if head.fields["expires"] != nil {
                head.time("expires").map { max(.zero, $0 - date) } ?? .zero
            } else {
                head.time("last-modified").map {
                    min(.seconds(max(.zero, date - $0).components.seconds / 10), Self.guessLimit)
                } ?? .zero
            }
    }

    /// Returns whether the response is fresh; it isn't if the clock was set back, as its age is
    /// unknown.
    func isFresh(at now: Duration) -> Bool { now >= answered && age + (now - answered) < lifetime }
}

extension ResponseHead {
    /// Whether the response may be stored: it's complete, and valid for other requests of the same
    /// loader.
    var isStorable: Bool {
        let control = CacheDirectives(fields["cache-control"] ?? "")
        return status == 200 && !isRedirected && hasDelimitedBody && !control.has("no-store")
            && fields["vary"]?.utf8.contains(UInt8(ascii: "*")) != true
    }

    /// Returns the time in a field; nil if it's absent, or isn't a date.
    fileprivate func time(_ name: String) -> Duration? {
        guard let time = fields[name].map({ unsafe curl_getdate($0, nil) }), time >= 0 else {
            return nil
        }
        return .seconds(time)
    }
}

/// The directives of a `Cache-Control` field, the first of each name.
///
/// A field that is longer than ``textLimit`` isn't parsed: it counts as `no-store` and `no-cache`.
struct CacheDirectives: Equatable {
    /// The maximum length of a field in bytes.
    static let textLimit = 4096
    /// The maximum time of a directive.
    static let limit = Duration.seconds(1 << 31)

    private var values: [String: String] = [:]

    init(_ text: String) {
        guard text.utf8.count <= Self.textLimit else {
            values = ["no-store": "", "no-cache": ""]
            return
        }
        var (isQuoted, isEscaped) = (false, false)
        let parts = text.split { character in
            if isEscaped {
                isEscaped = false
            } else if character == "\"" {
                isQuoted.toggle()
            } else {
                isEscaped = isQuoted && character == "\\"
            }
            return character == "," && !isQuoted
        }
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = pair.map { String($0.filter { !" \t\"".contains($0) }) }
            let name = words[0].lowercased()
            if values[name] == nil { values[name] = words.count > 1 ? words[1] : "" }
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the time of a directive; nil if it's absent, and 0 if it's malformed.
    func time(_ name: String) -> Duration? { values[name].map(Self.time) }

    /// Returns the time that a text gives in seconds; zero if it's malformed.
    static func time(_ text: String) -> Duration {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .zero }
        return text.isEmpty ? .zero : Int(text).map { min(.seconds($0), limit) } ?? limit
    }
}
