// swift-tools-version: 6.3
import PackageDescription

func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
}

/// The products, by the trait that each needs.
let products = [
    "": """
    CLullLibevent DeferredLoading HTTPLoading IdleLoop ImageFormatsHEIF ImageLoading IsolatedDecoding
    ListCells LoopGLib LoopSDEvent LoopSystemd LoopUV Lull LullTesting ScrollModel
    """,
    "Lifecycle": "LoopLifecycle", "Logging": "LoopLogging", "Metrics": "LoopMetrics",
    "NIO": "LoopNIO",
]

/// The package's address and version, and the traits whose products are used, as `run` sets them.
let environment = Context.environment
let traits = words(environment["TRAITS"] ?? "")

/// Packages that many servers have, and whose names mustn't be Lull's, too.
let others: [(package: Package.Dependency, product: Target.Dependency)] = [
    (
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .product(name: "AsyncHTTPClient", package: "async-http-client")
    ),
    (
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .product(name: "Hummingbird", package: "hummingbird")
    ),
]
let hasOthers = environment["OTHERS"] != nil

func program(_ name: String, _ needs: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "use-\(name)", dependencies: needs, path: "Sources/\(name)",
        swiftSettings: [.defaultIsolation(MainActor.self)])
}

/// A package of somebody else, with one program for each product that imports it.
let package = Package(
    name: "consumer",
    dependencies: [
        .package(
            url: environment["LULL"] ?? "", from: Version(environment["VERSION"] ?? "") ?? "0.0.0",
            traits: Set(traits.map { .init(stringLiteral: $0) }))
    ] + (hasOthers ? others.map(\.package) : []),
    targets: (hasOthers
        ? [
            program(
                "Together", [.product(name: "Lull", package: "lull")] + others.map(\.product))
        ]
        : ([""] + traits).flatMap { words(products[$0] ?? "") }.map { product in
            program(product, [.product(name: product, package: "lull")])
        })
)
