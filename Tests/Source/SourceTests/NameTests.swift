import SourceChecks
import Testing

/// Public names beside those of packages that do similar things.
struct NameTests {
    /// Modules whose names would otherwise be taken for those of the packages below.
    private static let modules = ["HTTPLoading", "LoopSystemd"]

    /// Modules and types of AsyncHTTPClient 1.37, HTTPTypes 1.8, Hummingbird 2.28, swift-systemd, and
    /// what comes with them.
    private static let others: Set<Substring> = Set(
        """
        AsyncHTTPClient FileDownloadDelegate HTTPClient HTTPClientCopyingDelegate HTTPClientError
        HTTPClientRequest HTTPClientRequestResponse HTTPClientResponse HTTPClientResponseDelegate
        ResponseAccumulator
        HTTPTypes HTTP2ErrorCode HTTP3ErrorCode HTTPField HTTPFields HTTPRequest HTTPResponse
        Hummingbird HummingbirdCore Application BindAddress CacheControl Cookie Cookies EditedResponse
        Environment FileIO HTTPChannelHandler HTTPError HTTPResponder HTTPResponderBuilder
        HTTPResponseError HTTPServerBuilder HTTPUserEventHandler Handle MediaType Parameters
        PersistError Request RequestBody RequestContext RequestID Response ResponseBody
        ResponseBodyWriter ResponseWriter Router Server ServerConfiguration URI
        NIOHTTP1 HTTPHeaders HTTPMethod HTTPPart HTTPRequestHead HTTPResponseHead
        HTTPResponseStatus HTTPVersion
        OpenAPIRuntime HTTPBody
        ServiceLifecycle Service ServiceGroup UnixSignal
        Systemd SystemdHelpers SystemdLifecycle SystemdService
        """.split { $0.isWhitespace })

    @Test func `no public name is also one of a package that programs use beside this one`() throws
    {
        let declaration =
            /^(?:@\w+ )*public (?:(?:final|indirect) )?(?:class|struct|enum|protocol|actor|typealias|func|var|let) (\w+)/
        let files = Project.files(
            in: Self.modules.map { "Sources/Service/\($0)" }, ending: ".swift")
        let lines = try files.flatMap(Project.lines(of:))
        let names = lines.compactMap { $0.firstMatch(of: declaration)?.output.1 }
        #expect(names.count >= 15)
        #expect(Self.others.isDisjoint(with: names + Self.modules.map { $0[...] }))
    }
}
