internal import CCurl

/// The time for which a response may be used again without asking, by RFC 9111 for a private cache.
///
/// Times are in whole seconds since 1970.
struct HTTPFreshness: Equatable {
    /// The longest time that is made up from the last change, if nothing else is said.
    static let guessLimit = 86_400

    /// The age at which it's no longer fresh.
    let lifetime: Int
    private let age: Int
    private let answered: Int

    /// The freshness of a response that was asked for at one time and came at another.
    init(of head: ResponseHead, asked: Int, answered: Int) {
        let control = CacheDirectives(head.fields["cache-control"] ?? "")
        let date = head.time("date") ?? answered
        let told = head.fields["age"].map(CacheDirectives.seconds) ?? 0
        age = max(0, answered - date, told + max(0, answered - asked))
        self.answered = answered
        lifetime =
            if control.has("no-cache") {
                0
            } else if let limit = control.seconds("max-age") {
                limit
            } else if head.fields["expires"] != nil {
                head.time("expires").map { max(0, $0 - date) } ?? 0
            } else {
                head.time("last-modified").map { min(max(0, date - $0) / 10, Self.guessLimit) } ?? 0
            }
    }

    /// Whether it may be used without asking; a clock that was set back says nothing of its age.
    func isFresh(at now: Int) -> Bool { now >= answered && age + (now - answered) < lifetime }
}

extension ResponseHead {
    /// Whether the response may be stored: whole, and for other requests of the same loader.
    var isStorable: Bool {
        let control = CacheDirectives(fields["cache-control"] ?? "")
        return status == 200 && !isRedirected && hasDelimitedBody && !control.has("no-store")
            && fields["vary"]?.utf8.contains(UInt8(ascii: "*")) != true
    }

    /// The time that a field says; nil if it's absent, or says none.
    fileprivate func time(_ name: String) -> Int? {
        guard let time = fields[name].map({ unsafe curl_getdate($0, nil) }), time >= 0 else {
            return nil
        }
        return Int(time)
    }
}

/// The directives of a `Cache-Control` field, the first of each name.
///
/// A field that is longer than ``textLimit`` isn't read: nothing is stored then, or used without asking.
struct CacheDirectives: Equatable {
    /// The most bytes of a field.
    static let textLimit = 4096
    /// The longest time that a directive can say.
    static let limit = 1 << 31

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

    /// The time that a directive says; nil if it's absent, and none if it makes no sense.
    func seconds(_ name: String) -> Int? { values[name].map(Self.seconds) }

    /// The seconds that a text says; none if it makes no sense.
    static func seconds(_ text: String) -> Int {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return text.isEmpty ? 0 : min(Int(text) ?? limit, limit)
    }
}
