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

/// Arrows point down only: a target may import what it names here and nothing else.
let package = Package(
    name: "lull",
    products: [
        .library(name: "Lull", targets: ["Lull"]),
        .library(name: "IdleLoop", targets: ["IdleLoop"]),
        // libevent, for a Swift program with an event_base of its own that a loop adopts.
        .library(name: "CLibevent", targets: ["CLibevent"]),
        .library(name: "ScrollModel", targets: ["ScrollModel"]),
        .library(name: "DeferredLoading", targets: ["DeferredLoading"]),
        .library(name: "ImageLoading", targets: ["ImageLoading"]),
        // HEIC and AVIF, for which libde265 and libavif must be there.
        .library(name: "ImageFormatsHEIF", targets: ["ImageFormatsHEIF"]),
        .library(name: "HTTPLoading", targets: ["HTTPLoading"]),
        .library(name: "LoopSystemd", targets: ["LoopSystemd"]),
        .library(name: "IsolatedDecoding", targets: ["IsolatedDecoding"]),
        .executable(name: "picture-helper", targets: ["picture-helper"]),
        .executable(name: "heif-picture-helper", targets: ["heif-picture-helper"]),
        // For C: liblull.so, whose header is Sources/CLull/include/lull.h.
        .library(name: "lull", type: .dynamic, targets: ["LullC"]),
        .library(name: "TerminalPictures", targets: ["TerminalPictures"]),
        .library(name: "PeerPolicies", targets: ["PeerPolicies"]),
        .library(name: "Laboratory", targets: ["Laboratory"]),
        .library(name: "LoopLifecycle", targets: ["LoopLifecycle"]),
        .library(name: "LoopMetrics", targets: ["LoopMetrics"]),
        .library(name: "LoopLogging", targets: ["LoopLogging"]),
        .library(name: "LullTesting", targets: ["LullTesting"]),
        .library(name: "ReplayReport", targets: ["ReplayReport"]),
        .library(name: "TraceFormats", targets: ["TraceFormats"]),
        .executable(name: "scroll-replay", targets: ["scroll-replay"]),
        .executable(name: "gallery", targets: ["gallery"]),
        .executable(name: "terminal-list", targets: ["terminal-list"]),
        // For a test of the loop, which opens it at run time.
        .library(name: "PrepareStandIn", type: .dynamic, targets: ["CPrepareStandIn"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibevent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
        .target(name: "LoopTime", swiftSettings: settings),
        .target(
            name: "IdleLoop", dependencies: ["CLibevent", "LoopTime"], swiftSettings: settings),
        .target(name: "ScrollModel", dependencies: ["LoopTime"], swiftSettings: settings),
        .target(
            name: "DeferredLoading", dependencies: ["IdleLoop", "ScrollModel"],
            swiftSettings: settings),
        .target(
            name: "Lull", dependencies: ["IdleLoop", "ScrollModel", "DeferredLoading"],
            swiftSettings: settings),
        .target(
            name: "LoopLogging",
            dependencies: ["IdleLoop", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),
        .target(
            name: "LoopMetrics",
            dependencies: ["IdleLoop", .product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: settings),
        .target(
            name: "LoopLifecycle",
            dependencies: [
                "IdleLoop", "LoopLogging", .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .target(
            name: "PeerPolicies", dependencies: ["IdleLoop", "ScrollModel", "DeferredLoading"],
            swiftSettings: settings),
        .target(
            name: "LullTesting", dependencies: ["IdleLoop", "ScrollModel", "DeferredLoading"],
            swiftSettings: settings),
        .target(
            name: "Laboratory",
            dependencies: [
                "DeferredLoading", "IdleLoop", "LullTesting", "PeerPolicies", "ScrollModel",
            ],
            swiftSettings: settings),
        .target(name: "ReplayText", swiftSettings: settings),
        .systemLibrary(
            name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "TraceFormats",
            dependencies: ["LullTesting", "ReplayText", "ScrollModel", "CYajl", "CZlib"],
            swiftSettings: settings),
        .target(
            name: "CPictureCodecs", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("lcms2"), .linkedLibrary("m"),
                .linkedLibrary("png16"), .linkedLibrary("webp"),
            ]),
        .target(
            name: "ImageLoading",
            dependencies: ["CPictureCodecs", "CZlib", "DeferredLoading", "IdleLoop"],
            swiftSettings: settings),
        .target(
            name: "CHEIF", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("avif"), .linkedLibrary("de265")]),
        .target(
            name: "ImageFormatsHEIF", dependencies: ["CHEIF", "ImageLoading"],
            swiftSettings: settings),
        .target(
            name: "CCurl", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("curl")]),
        .target(
            name: "HTTPLoading",
            dependencies: ["CCurl", "DeferredLoading", "IdleLoop", "ImageLoading"],
            swiftSettings: settings),
        .target(name: "LoopSystemd", dependencies: ["IdleLoop"], swiftSettings: settings),
        .target(
            name: "CSandbox", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("seccomp")]),
        .target(
            name: "IsolatedDecoding",
            dependencies: ["CSandbox", "DeferredLoading", "IdleLoop", "ImageLoading"],
            swiftSettings: settings),
        .executableTarget(
            name: "picture-helper", dependencies: ["IsolatedDecoding"],
            swiftSettings: settings),
        .executableTarget(
            name: "heif-picture-helper",
            dependencies: ["ImageFormatsHEIF", "ImageLoading", "IsolatedDecoding"],
            swiftSettings: settings),
        .target(
            name: "CLull", exclude: ["install", "lull.pc.in"],
            cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "LullC", dependencies: ["CLull", "DeferredLoading", "IdleLoop", "ScrollModel"],
            swiftSettings: settings),
        .target(
            name: "TerminalPictures", dependencies: ["ImageLoading"], swiftSettings: settings),
        .target(
            name: "ReplayReport",
            dependencies: [
                "DeferredLoading", "IdleLoop", "LullTesting", "ReplayText", "ScrollModel",
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [
                .embedInCode("web/drawing.css"), .embedInCode("web/report.css"),
                .embedInCode("web/report.html"), .embedInCode("web/scripts"),
            ],
            swiftSettings: settings),
        .target(
            name: "ReplayTerminal",
            dependencies: [
                "DeferredLoading", "IdleLoop", "ImageLoading", "LullTesting", "ScrollModel",
                "TerminalPictures",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "scroll-replay",
            dependencies: [
                "DeferredLoading", "IdleLoop", "ImageLoading", "Laboratory", "LullTesting",
                "ReplayReport", "ReplayTerminal", "ReplayText", "ScrollModel", "TerminalPictures",
                "TraceFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Demo/scroll-replay", swiftSettings: settings),
        .executableTarget(
            name: "terminal-list",
            dependencies: ["HTTPLoading", "ImageLoading", "Lull", "TerminalPictures"],
            path: "Demo/list", exclude: ["run"], swiftSettings: settings),
        .systemLibrary(
            name: "CGallery", path: "Demo/gallery/CGallery", pkgConfig: "libevent_extra",
            providers: [.apt(["libevent-dev"])]),
        .target(
            name: "GalleryFiles", dependencies: ["CGallery"], path: "Demo/gallery/Files",
            swiftSettings: settings),
        .target(
            name: "GalleryWeb", dependencies: ["CGallery"], path: "Demo/gallery/Web",
            swiftSettings: settings),
        .target(
            name: "GalleryCatalogue",
            dependencies: [
                "GalleryFiles", "IdleLoop", "ImageFormatsHEIF", "ImageLoading", "ScrollModel",
            ],
            path: "Demo/gallery/Catalogue", swiftSettings: settings),
        .target(
            name: "GalleryPictures",
            dependencies: [
                "GalleryFiles", "IdleLoop", "ImageLoading",
            ],
            path: "Demo/gallery/Pictures", swiftSettings: settings),
        .target(
            name: "GalleryMetrics",
            dependencies: ["IdleLoop", .product(name: "CoreMetrics", package: "swift-metrics")],
            path: "Demo/gallery/Metrics", swiftSettings: settings),
        .target(
            name: "GalleryLog", dependencies: [.product(name: "Logging", package: "swift-log")],
            path: "Demo/gallery/Log", swiftSettings: settings),
        .target(
            name: "GalleryKit",
            dependencies: [
                "DeferredLoading", "GalleryCatalogue", "GalleryFiles", "GalleryMetrics",
                "GalleryPictures", "GalleryWeb", "IdleLoop", "ImageLoading", "LoopMetrics",
                "LullTesting", "ReplayReport", "ScrollModel", "TraceFormats",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            path: "Demo/gallery/Kit",
            resources: [
                .embedInCode("pages/gallery.css"), .embedInCode("pages/gallery.html"),
                .embedInCode("pages/icon.svg"), .embedInCode("pages/lull.css"),
                .embedInCode("pages/lull.html"), .embedInCode("pages/scripts"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "gallery",
            dependencies: [
                "CGallery", "GalleryCatalogue", "GalleryFiles", "GalleryKit", "GalleryLog",
                "GalleryMetrics", "GalleryPictures", "GalleryWeb", "HTTPLoading", "IdleLoop",
                "ImageLoading", "IsolatedDecoding", "LoopLogging", "LoopSystemd",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Demo/gallery/Program", swiftSettings: settings),
        .executableTarget(
            name: "gallery-load",
            dependencies: [
                "CGallery", "GalleryCatalogue", "GalleryFiles", "GalleryKit", "IdleLoop",
                "ImageLoading", "ScrollModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Demo/gallery/load", exclude: ["run"], swiftSettings: settings),
        .testTarget(
            name: "GalleryKitTests",
            dependencies: [
                "GalleryKit", "CGallery", "DeferredLoading", "GalleryCatalogue", "GalleryFiles",
                "GalleryMetrics", "GalleryPictures", "GalleryWeb", "HTTPLoading", "IdleLoop",
                "ImageLoading", "LullTesting", "ReplayReport", "ScrollModel", "TestServer",
                "TestSupport", "TraceFormats",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IdleLoopTests",
            dependencies: ["IdleLoop", "CLibevent", "CLoopHelpers", "TestSupport"],
            swiftSettings: settings),
        .target(
            name: "CLoopHelpers", path: "Tests/CLoopHelpers",
            cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("event_pthreads")]),
        .target(
            name: "CPrepareStandIn", path: "Tests/CPrepareStandIn",
            cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "loop-program", dependencies: ["IdleLoop", "CLibevent", "CLoopHelpers"],
            path: "Tests/LoopProgram", swiftSettings: settings),
        .executableTarget(
            name: "picture-program", dependencies: ["DeferredLoading", "IdleLoop", "ImageLoading"],
            path: "Tests/PictureProgram", swiftSettings: settings),
        .executableTarget(
            name: "service-program", dependencies: ["IdleLoop", "LoopSystemd"],
            path: "Tests/ServiceProgram", swiftSettings: settings),
        .target(
            name: "CPictureEncoders", path: "Tests/CPictureEncoders",
            cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("lcms2"), .linkedLibrary("png16"),
                .linkedLibrary("webp"),
            ]),
        .testTarget(
            name: "ImageLoadingTests",
            dependencies: [
                "ImageLoading", "CPictureCodecs", "CPictureEncoders", "CZlib", "DeferredLoading",
                "IdleLoop", "ScrollModel", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ImageFormatsHEIFTests",
            dependencies: [
                "ImageFormatsHEIF", "heif-picture-helper", "DeferredLoading", "IdleLoop",
                "ImageLoading", "IsolatedDecoding", "TestSupport",
            ],
            resources: [.copy("Pictures")], swiftSettings: settings),
        .testTarget(
            name: "HTTPLoadingTests",
            dependencies: [
                "HTTPLoading", "CPictureEncoders", "DeferredLoading", "IdleLoop", "ImageLoading",
                "TestServer", "TestSupport", "remote-program",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GalleryWebTests", dependencies: ["GalleryWeb", "CGallery", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "LoopSystemdTests",
            dependencies: [
                "LoopSystemd", "CLibevent", "IdleLoop", "TestSupport", "service-program",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IsolatedDecodingTests",
            dependencies: [
                "IsolatedDecoding", "picture-helper", "fake-helper", "CPictureEncoders",
                "DeferredLoading", "IdleLoop", "ImageLoading", "TestSupport",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "fake-helper", dependencies: ["CSandbox"], path: "Tests/FakeHelper",
            cSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "GalleryPicturesTests",
            dependencies: [
                "GalleryPictures", "CPictureEncoders", "DeferredLoading", "GalleryFiles",
                "IdleLoop",
                "ImageLoading", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TerminalPicturesTests",
            dependencies: ["TerminalPictures", "ImageLoading", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "LoopLoggingTests",
            dependencies: [
                "LoopLogging", "IdleLoop", "TestSupport",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LoopMetricsTests",
            dependencies: [
                "LoopMetrics", "IdleLoop",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GalleryMetricsTests",
            dependencies: [
                "GalleryMetrics", "IdleLoop", "LoopMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GalleryLogTests",
            dependencies: [
                "GalleryLog", "IdleLoop", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LoopLifecycleTests",
            dependencies: [
                "LoopLifecycle", "LoopLogging", "LoopMetrics", "LoopSystemd", "IdleLoop",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "DeferredLoading", "Laboratory", "LullTesting", "ScrollModel", "ShippedTraces",
            ],
            resources: [.copy("check-vectors.txt")], swiftSettings: settings),
        .testTarget(
            name: "PeerPoliciesTests",
            dependencies: ["PeerPolicies", "DeferredLoading", "IdleLoop", "ScrollModel"],
            swiftSettings: settings),
        .testTarget(
            name: "TraceFormatsTests",
            dependencies: [
                "TraceFormats", "LullTesting", "ScrollModel", "ShippedTraces", "TestSupport",
                "CZlib",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReplayTerminalTests",
            dependencies: [
                "ReplayTerminal", "DeferredLoading", "IdleLoop", "ImageLoading", "LullTesting",
                "ScrollModel", "TerminalPictures",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReplayReportTests",
            dependencies: [
                "ReplayReport", "LullTesting", "DeferredLoading", "IdleLoop", "ScrollModel",
                "ShippedTraces",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GalleryCatalogueTests",
            dependencies: [
                "GalleryCatalogue", "GalleryFiles", "IdleLoop", "ImageLoading", "ScrollModel",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LullCTests", dependencies: ["LullC", "CLibevent", "CLull"],
            swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["LoopTime"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "ShippedTraces", dependencies: ["LullTesting", "ScrollModel"],
            path: "Tests/ShippedTraces", swiftSettings: settings),
        .target(
            name: "TestServer", dependencies: ["IdleLoop"], path: "Tests/TestServer",
            swiftSettings: settings),
        .executableTarget(
            name: "readme-program", dependencies: ["ImageLoading", "Lull"],
            path: "Tests/ReadmeProgram", swiftSettings: settings),
        .executableTarget(
            name: "remote-program", dependencies: ["HTTPLoading", "ImageLoading", "Lull"],
            path: "Tests/RemoteProgram", swiftSettings: settings),
        .testTarget(
            name: "ProgramTests", dependencies: ["TestSupport", "loop-program", "readme-program"],
            swiftSettings: settings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "IdleLoop", "TestServer", "TestSupport", "picture-program", "scroll-replay",
                "terminal-list",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SourceTests",
            dependencies: [
                "CLibevent", "DeferredLoading", "GalleryCatalogue", "GalleryFiles", "GalleryKit",
                "GalleryLog", "GalleryMetrics", "GalleryPictures", "GalleryWeb", "HTTPLoading",
                "IdleLoop", "ImageFormatsHEIF", "ImageLoading", "IsolatedDecoding", "Laboratory",
                "LoopLifecycle", "LoopLogging", "LoopMetrics", "LoopSystemd", "Lull", "LullTesting",
                "PeerPolicies",
                "ReplayReport", "ReplayTerminal", "ScrollModel", "TerminalPictures", "TestSupport",
                "TraceFormats",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Context.swift", "context.h"], swiftSettings: settings),
        // Random programs, which a package of fuzzers runs, too.
        .target(
            name: "RandomPrograms", dependencies: ["DeferredLoading", "IdleLoop", "ScrollModel"],
            path: "Tests/Fuzz/Sources/Programs", swiftSettings: settings),
        .testTarget(
            name: "DeferredLoadingTests",
            dependencies: [
                "DeferredLoading", "IdleLoop", "RandomPrograms", "ScrollModel", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ScrollModelTests", dependencies: ["ScrollModel", "TestSupport"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// The names that a variable of the environment has, with spaces between.
func names(in variable: String) -> [String] {
    (Context.environment[variable] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
}

// Test targets that needn't even be built: a run under a sanitizer says so of those in which it can
// find nothing.
for name in names(in: "LULL_TESTS_LEFT_OUT") {
    let place = package.targets.firstIndex { $0.name == name && $0.type == .test }
    guard let place else { fatalError("LULL_TESTS_LEFT_OUT names test targets: \(name) is none") }
    package.targets.remove(at: place)
}

// Targets that are optimised in debug builds, too: those in which tests spend most of their time. The
// tests themselves, which are more code, needn't be.
for name in names(in: "LULL_OPTIMIZED") {
    guard let target = package.targets.first(where: { $0.name == name && $0.type != .test })
    else { fatalError("LULL_OPTIMIZED names targets that aren't tests: \(name) is none") }
    target.swiftSettings?.append(
        .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
}
