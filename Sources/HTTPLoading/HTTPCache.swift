public import ImageLoading

/// Responses on disk, which outlive the process, for a loader that asks only for what has changed.
///
/// ```swift
/// let cache = HTTPCache(in: "/var/cache/mine/http")
/// let http = HTTPLoader(on: loop, cache: cache, workers: workers)
/// ```
///
/// It keeps to RFC 9111 as a private cache. A response that is fresh is used without a connection; for
/// one that isn't, the server is asked whether it is still right. Only whole bodies of status 200 are
/// stored, under the address that was asked for: not after redirects, and not for requests with
/// headers or a version of their own, or with a password. What a disk refuses is not stored, and fails
/// no transfer.
///
/// A fresh response is used whatever address its server had: a folder that a loader filled under one
/// rule of ``HTTPLoaderConfiguration/addresses`` is not for one with a stricter rule.
public typealias HTTPCache = DiskCache<CheckedLayout<String>>

extension DiskCache where Layout == CheckedLayout<String> {
    /// A cache of responses in a folder, an absolute path, of which larger bodies than `limit` are left
    /// out.
    ///
    /// `now` is the time since 1970, nil for the system's.
    public convenience init(
        in folder: String, bound: DiskCacheBound = .service, limit: Int = 16 << 20,
        now: (@Sendable () -> Duration)? = nil
    ) {
        self.init(in: folder, layout: CheckedLayout(limit: limit), bound: bound, now: now)
    }

    /// Returns what is stored under an address by a loader that says the same of itself.
    func find(_ key: String, for sender: String) -> (head: StoredHead, body: [UInt8])? {
        guard let entry = find(key), let head = StoredHead(entry.metadata), head.sender == sender
        else { return nil }
        return (head, entry.payload)
    }
}

/// The part of a stored response beside its body.
struct StoredHead: Equatable {
    let head: ResponseHead
    /// The sender's description in the request, on which the response may depend.
    let sender: String
    private let asked: Int
    private let answered: Int

    /// The head of a response that was asked for at one time, in seconds since 1970, and came at another.
    init(_ head: ResponseHead, sender: String, asked: Int, answered: Int) {
        self.head = head
        self.sender = sender
        self.asked = asked
        self.answered = answered
    }

    /// Reads what was stored; nil if it makes no sense.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 3, let asked = Int(lines[0]), let answered = Int(lines[1]),
            (0...1 << 40).contains(asked), (0...1 << 40).contains(answered)
        else { return nil }
        self.init(
            ResponseHead(lines: lines[3...]), sender: String(lines[2]), asked: asked,
            answered: answered)
        guard head.status == 200 else { return nil }
    }

    /// The bytes that are stored.
    var bytes: [UInt8] {
        Array((["\(asked)", "\(answered)", sender] + head.lines).joined(separator: "\n").utf8)
    }

    var version: HTTPLoadResponse.Version? { head.version }

    var freshness: HTTPFreshness { HTTPFreshness(of: head, asked: asked, answered: answered) }

    /// Whether it can be of use later: it's fresh for a while, or the server can say that it's still
    /// right.
    var isUseful: Bool {
        head.isStorable && (freshness.lifetime > 0 || version != nil)
    }

    /// Returns this with what a response of status 304 says anew; nil if it's about something else.
    ///
    /// That is another resource, behind a redirect, or another state, by its tag (RFC 9111, 4.3.4).
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
