/// A server's response.
public struct HTTPLoadResponse: Equatable, Sendable {
    /// The validators that tell one state of a resource from another, in the server's words.
    public struct Version: Hashable, Sendable {
        /// The entity tag.
        public var etag: String?
        /// The date of the last change.
        public var lastModified: String?

        /// A version by its tag, its date or both.
        public init(etag: String? = nil, lastModified: String? = nil) {
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// From 200 to 299; or 304, if what the request knows is still right.
    public let status: Int
    /// The length of the body that the server has announced, nil if it hasn't.
    public let length: Int?
    /// The media type that the server has announced.
    public let contentType: String?
    /// The state of the resource, nil if the server doesn't tell one from another.
    public let version: Version?
    /// The address of the resource, after redirects.
    public let url: String
    /// The body, as it came; empty as long as only the head is known, and if it's taken in pieces.
    public internal(set) var bytes: [UInt8] = []

    init(_ head: ResponseHead, url: String) {
        status = head.status
        length = head.length
        contentType = head.contentType
        version = head.version
        self.url = url
    }
}
