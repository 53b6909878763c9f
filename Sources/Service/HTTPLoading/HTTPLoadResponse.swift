/// A server's response.
public struct HTTPLoadResponse: Equatable, Sendable {
    /// The validators of one version of a resource, as sent by the server.
    public struct Version: Hashable, Sendable {
        /// The entity tag.
        public var etag: String?
        /// The date of the last modification.
        public var lastModified: String?

        /// Creates a version with an entity tag, a date, or both.
        public init(etag: String? = nil, lastModified: String? = nil) {
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// The status, from 200 to 299; or 304 if the version in the request is still valid.
    public let status: Int
    /// The length of the body that the server has announced; nil if it hasn't, and if the body is
    /// compressed.
    public let length: Int?
    /// The part of the resource that the body is, such as `bytes 0-99/1000`, in the answer to a
    /// request with a `Range` header; nil if it's the whole.
    public let contentRange: String?
    /// The media type that the server has announced.
    public let contentType: String?
    /// The version of the resource; nil if the server sent no validators.
    public let version: Version?
    /// The URL of the resource, after redirects.
    public let url: String
    /// The body, decompressed; empty while only the head is known, and if the body is delivered in pieces.
    public internal(set) var bytes: [UInt8] = []

    init(_ head: ResponseHead, url: String) {
        status = head.status
        length = head.length
        contentRange = head.contentRange
        contentType = head.contentType
        version = head.version
        self.url = url
    }
}
