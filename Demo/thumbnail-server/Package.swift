// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
    ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error), .strictMemorySafety()]

/// A server that makes thumbnails between its requests; a package of its own, so that nobody who
/// builds the other demos fetches Hummingbird.
let package = Package(
    name: "thumbnail-server",
    dependencies: [
        .package(name: "lull", path: "../..", traits: ["NIO"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "thumbnail-server",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "IdleLoop", package: "lull"),
                .product(name: "ImageLoading", package: "lull"),
                .product(name: "LoopNIO", package: "lull"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Sources", swiftSettings: settings)
    ],
    swiftLanguageModes: [.v6]
)
