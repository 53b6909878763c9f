/// What a server has answered.
public struct HTTPLoadResponse: Equatable, Sendable {
    /// What tells one state of a thing from another, in the server's words.
    public struct Version: Hashable, Sendable {
        /// The tag of this state.
        public var etag: String?
        /// When it was last changed.
        public var lastModified: String?

        /// A version by its tag, its date or both.
        public init(etag: String? = nil, lastModified: String? = nil) {
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// The bytes, as they came.
    public let bytes: [UInt8]
    /// From 200 to 299; or 304, if what the request knows is still right.
    public let status: Int
    /// What the server says that it is.
    public let contentType: String?
    /// The state that it's in, nil if the server doesn't tell one from another.
    public let version: Version?
    /// Where it was in the end, after redirects.
    public let url: String

    /// Whether what the request knows is still right.
    public var isNotModified: Bool { status == 304 }
}
