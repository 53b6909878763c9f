/// A request as libevent has read it, before anything is believed of it.
struct RawRequest {
    /// nil if it's none that this server knows.
    let method: WebMethod?
    let version: (major: Int, minor: Int)
    let target: [UInt8]
    let fields: [RequestField]

    /// The server that is asked for, for people.
    var host: String? {
        fields.first { $0.isNamed("host") }.map { String($0.text.prefix(255)) }
    }
}
