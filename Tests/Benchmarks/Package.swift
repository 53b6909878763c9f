// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
]

let cSettings: [CSetting] = [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)]

/// A contender written in C.
///
/// Each is a program of its own, and must be: libev's library defines libevent's functions too.
func contender(
    _ name: String, links libraries: [String], dependencies: [Target.Dependency] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: ["CWorkloads"] + dependencies, cSettings: cSettings,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// Lull's event loop and list model beside others; `./run` builds and runs it.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "lull", path: "../..", traits: ["Lifecycle", "Metrics", "NIO"]),
        .package(name: "lull-demo", path: "../../Demo"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(
            name: "CWorkloads", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("m"), .linkedLibrary("pthread")]),
        .target(name: "CAllocations", cSettings: cSettings),
        .target(name: "Workloads", dependencies: ["CWorkloads"], swiftSettings: settings),
        .systemLibrary(
            name: "CGLibAlone", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),

        .systemLibrary(name: "CEvent"),

        contender("bench-epoll", links: []),
        contender("bench-libevent", links: ["event_core"]),
        contender("bench-libev", links: ["ev"]),
        contender("bench-libuv", links: ["uv"]),
        contender("bench-glib", links: [], dependencies: ["CGLibAlone"]),
        contender("bench-sdevent", links: ["systemd"]),
        .executableTarget(
            name: "bench-nio",
            dependencies: [
                "Workloads", .product(name: "IdleLoop", package: "lull"),
                .product(name: "LoopNIO", package: "lull"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "bench-dispatch", dependencies: ["Workloads"], swiftSettings: settings),
        .target(
            name: "CHosts", dependencies: ["CGLibAlone"], cSettings: cSettings,
            linkerSettings: ["systemd", "uv"].map { .linkedLibrary($0) }),
        .executableTarget(
            name: "bench-lull",
            dependencies: [
                "CEvent", "CHosts", "Workloads", .product(name: "IdleLoop", package: "lull"),
                .product(name: "LoopGLib", package: "lull"),
                .product(name: "LoopSDEvent", package: "lull"),
                .product(name: "LoopUV", package: "lull"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "LoopLogging", package: "lull"),
                .product(name: "LoopMetrics", package: "lull"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        contender(
            "bench-lull-c", links: ["event_core"],
            dependencies: [.product(name: "lull-c", package: "lull")]),
        .executableTarget(
            name: "bench-list",
            dependencies: [
                "CAllocations", "CWorkloads", "Workloads",
                .product(name: "DeferredLoading", package: "lull"),
                .product(name: "IdleLoop", package: "lull"),
                .product(name: "ScrollModel", package: "lull"),
            ], swiftSettings: settings),

        .executableTarget(
            name: "bench-replay",
            dependencies: [
                "Workloads", .product(name: "Laboratory", package: "lull-demo"),
                .product(name: "LullTesting", package: "lull"),
                .product(name: "ScrollModel", package: "lull"),
            ], swiftSettings: settings),

        contender("bench-pictures", links: ["avif", "gif", "heif", "jpeg", "m", "png16", "webp"]),
        .target(
            name: "CDecoders", cSettings: cSettings,
            linkerSettings: [
                "avif", "gif", "heif", "jpeg", "png16", "turbojpeg", "webp", "z",
            ].map { .linkedLibrary($0) }),
        .executableTarget(
            name: "bench-decode",
            dependencies: [
                "CDecoders", "CWorkloads", "Workloads",
                .product(name: "DeferredLoading", package: "lull"),
                .product(name: "IdleLoop", package: "lull"),
                .product(name: "ImageFormatsHEIF", package: "lull"),
                .product(name: "ImageLoading", package: "lull"),
                .product(name: "IsolatedDecoding", package: "lull"),
            ], swiftSettings: settings),

        .executableTarget(
            name: "bench",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
