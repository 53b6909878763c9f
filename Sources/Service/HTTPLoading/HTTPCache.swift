public import ImageLoading

/// A disk cache of responses, which a loader revalidates with the server.
///
/// ```swift
/// let cache = HTTPCache(in: "/var/cache/mine/http")
/// let http = HTTPLoader(on: loop, cache: cache, workers: workers)
/// ```
///
/// It follows RFC 9111 as a private cache. A fresh response is used without a connection; a stale
/// one is revalidated with the server. Only complete bodies of status 200 are stored, under the
/// requested URL, and decompressed: not after redirects, and not for requests with a password, or with
/// headers or
/// validators of their own. Bodies larger than ``/ImageLoading/DiskCache/limit`` aren't stored. If
/// writing to disk fails, the response isn't stored, and the transfer
/// still succeeds.
///
/// A fresh response is used whatever IP address its server had: don't use a directory that was
/// filled under one rule of ``HTTPLoaderConfiguration/addresses`` with a stricter rule.
public typealias HTTPCache = DiskCache

extension DiskCache {
    /// Returns the response that is stored under a URL for a loader with the same `sender`.
    func find(_ key: String, for sender: String) -> (head: StoredHead, body: [UInt8])? {
        guard let entry = find(key), let head = StoredHead(entry.metadata), head.sender == sender
        else { return nil }
        return (head, entry.payload)
    }
}

/// The part of a stored response other than its body.
struct StoredHead: Equatable {
    let head: ResponseHead
    /// The `User-Agent` and `Accept` headers of the request, on which the response may depend.
    let sender: String
    private let asked: Duration
    private let answered: Duration

    /// Creates the head of a response, with the times of the request and of the response since
    /// 1970, in whole seconds.
    init(_ head: ResponseHead, sender: String, asked: Duration, answered: Duration) {
        self.head = head
        self.sender = sender
        self.asked = asked
        self.answered = answered
    }

    /// Parses stored bytes; nil if they are malformed.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 3, let asked = Int(lines[0]), let answered = Int(lines[1]),
            (0...1 << 40).contains(asked), (0...1 << 40).contains(answered)
        else { return nil }
        self.init(
            ResponseHead(lines: lines[3...]), sender: String(lines[2]), asked: .seconds(asked),
            answered: .seconds(answered))
        guard head.status == 200 else { return nil }
    }

    /// The bytes that are stored.
    var bytes: [UInt8] {
        let times = [asked, answered].map { "\($0.components.seconds)" }
        return Array((times + [sender] + head.lines).joined(separator: "\n").utf8)
    }

    var version: HTTPLoadResponse.Version? { head.version }

    var freshness: HTTPFreshness { HTTPFreshness(of: head, asked: asked, answered: answered) }

    /// Whether the response can be used later: it's fresh for a while, or the server can revalidate
    /// it.
    var isUseful: Bool {
        head.isStorable && (freshness.lifetime > .zero || version != nil)
    }

    /// Returns this head updated by a response of status 304; nil if that is about something else.
    ///
    /// Something else is another resource, behind a redirect, or another state, by its entity tag
    /// (RFC 9111, 4.3.4).
    func refreshed(with other: StoredHead) -> StoredHead? {
        if other.head.isRedirected { return nil }
        if let tag = other.version?.etag {
            let own = version?.etag
            guard tag == own || tag == "W/\(own ?? "")" else { return nil }
        }
        var head = head
        head.refresh(with: other.head)
        return StoredHead(
            head, sender: sender, asked: other.asked, answered: other.answered)
    }
}
