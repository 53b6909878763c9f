// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
    ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error), .strictMemorySafety()]

/// The settings of a target that sees what the library's package sees, which is called after its folder.
let insideSettings: [SwiftSetting] = {
    let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "lull"
    let name = folder.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return settings + [.unsafeFlags(["-package-name", String(name)])]
}()

let cSettings: [CSetting] = [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)]

/// A contender written in C, a program of its own.
func contender(
    _ name: String, links libraries: [String], dependencies: [Target.Dependency] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: ["CWorkloads"] + dependencies, cSettings: cSettings,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A program in Swift, with targets of this package, products of Lull, and others.
func program(
    _ name: String, _ targets: [String], lull: [String] = [], _ others: [Target.Dependency] = []
) -> Target {
    .executableTarget(
        name: name,
        dependencies: targets.map { .byName(name: $0) }
            + lull.map { .product(name: $0, package: "lull") } + others,
        packageAccess: false, swiftSettings: insideSettings)
}

/// Lull's event loop and list model beside others; `./run` builds and runs it.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "lull", path: "../..", traits: ["Lifecycle", "Metrics", "NIO"]),
        .package(name: "lull-demo", path: "../../Demo"),
        .package(name: "support", path: "../Support"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
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
        contender("bench-libuv", links: ["uv"]),
        contender("bench-glib", links: [], dependencies: ["CGLibAlone"]),
        contender("bench-sdevent", links: ["systemd"]),
        program(
            "bench-nio", ["Workloads"], lull: ["IdleLoop", "LoopNIO"],
            ["NIOCore", "NIOPosix"].map { .product(name: $0, package: "swift-nio") }),
        .target(
            name: "CHosts", dependencies: ["CGLibAlone"], cSettings: cSettings,
            linkerSettings: ["systemd", "uv"].map { .linkedLibrary($0) }),
        program(
            "bench-lull", ["CEvent", "CHosts", "Workloads"],
            lull: ["IdleLoop", "LoopGLib", "LoopSDEvent", "LoopUV"]),
        program("bench-lanes", [], lull: ["IdleLoop"]),
        contender(
            "bench-lull-c", links: ["event_core"],
            dependencies: [.product(name: "lull-c", package: "lull")]),
        program(
            "bench-list", ["CAllocations", "CWorkloads", "Workloads"],
            lull: ["DeferredLoading", "IdleLoop", "ScrollModel"]),

        program(
            "bench-replay", ["Workloads"], lull: ["LullTesting", "ScrollModel"],
            [
                .product(name: "Laboratory", package: "lull-demo"),
                .product(name: "ShippedTraces", package: "support"),
            ]),

        program(
            "bench-rule", [], lull: ["DeferredLoading", "LullTesting", "ScrollModel"],
            [
                .product(name: "Laboratory", package: "lull-demo"),
                .product(name: "ShippedTraces", package: "support"),
            ]),

        contender("bench-pictures", links: ["avif", "gif", "heif", "jpeg", "m", "png16", "webp"]),
        .target(
            name: "CDecoders", cSettings: cSettings,
            linkerSettings: [
                "avif", "gif", "heif", "jpeg", "png16", "turbojpeg", "webp", "z",
            ].map { .linkedLibrary($0) }),
        program(
            "bench-decode", ["CDecoders", "CWorkloads", "Workloads"],
            lull: [
                "DeferredLoading", "IdleLoop", "ImageFormatsHEIF", "ImageLoading",
                "IsolatedDecoding",
            ]),

        program(
            "bench", [], [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
