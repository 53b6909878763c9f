/// A request as libevent has read it, before validation.
struct RawRequest {
    /// The method; nil if this server doesn't support it.
    let method: WebMethod?
    let version: (major: Int, minor: Int)
    let target: [UInt8]
    let fields: [RequestField]

    /// The requested host, as text.
    var host: String? {
        fields.first { $0.isNamed("host") }.map { String($0.text.prefix(255)) }
    }
}
