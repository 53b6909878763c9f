// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
    ].map { .enableUpcomingFeature($0) } + [
        // For a property that is a span.
        .enableExperimentalFeature("Lifetimes"), .treatAllWarnings(as: .error),
        .strictMemorySafety(),
    ]

func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
}

/// The words of an environment's variable, which tests set.
func set(_ variable: String) -> [String] { words(Context.environment[variable] ?? "") }

// Tests have traits as macros in one order. The order of SwiftPM 6.3 differs from build to build, and
// all is compiled again: https://github.com/swiftlang/swift-package-manager/issues/10525.
let builtIn = set("LULL_TRAITS")

/// Products of other packages, each fetched only by those who enable its trait.
let packages = [
    "swift-log": (trait: "Logging", products: "InMemoryLogging Logging"),
    "swift-metrics": (trait: "Metrics", products: "CoreMetrics MetricsTestKit"),
    "swift-nio": (trait: "NIO", products: "NIOCore NIOEmbedded NIOPosix"),
    "swift-service-lifecycle": (
        trait: "Lifecycle", products: "ServiceLifecycle ServiceLifecycleTestKit"
    ),
]

/// Targets of this package by their names, and products of others.
func named(_ names: String) -> [Target.Dependency] {
    words(names).map { name in
        packages.first { words($0.value.products).contains(name) }.map { package, value in
            .product(
                name: name, package: package, condition: ifEnabled(value.trait))
        } ?? .byName(name: name)
    }
}

/// The condition for what a trait brings; nil in a build whose traits are given otherwise.
func ifEnabled(_ trait: String) -> TargetDependencyCondition? {
    builtIn.contains(trait) ? nil : .when(traits: [trait])
}

/// A target in the folder of its name, below a chapter.
func target(_ chapter: String, _ name: String, _ needs: String = "") -> Target {
    .target(
        name: name, dependencies: named(needs), path: "\(chapter)/\(name)", swiftSettings: settings)
}

/// A target in C, with the libraries that it links, and a macro that is a string.
func inC(
    _ chapter: String, _ name: String, _ needs: String = "", links: String = "",
    define macro: (name: String, text: String)? = nil
) -> Target {
    let defines = macro.map { [CSetting.define($0.name, to: "\"\($0.text)\"")] } ?? []
    return .target(
        name: name, dependencies: named(needs), path: "\(chapter)/\(name)",
        cSettings: [.treatAllWarnings(as: .error)] + defines,
        linkerSettings: words(links).map { .linkedLibrary($0) })
}

/// A target in C over GTK 4, empty without the trait: then nobody needs GTK.
func withGTK(_ chapter: String, _ name: String, _ needs: String = "") -> Target {
    .target(
        name: name,
        dependencies: named(needs) + [.target(name: "CLullGTK4", condition: ifEnabled("GTK4"))],
        path: "\(chapter)/\(name)",
        cSettings: [
            .treatAllWarnings(as: .error),
            .define("LULL_GTK4", builtIn.contains("GTK4") ? nil : .when(traits: ["GTK4"])),
        ])
}

/// A program in the folder of its name, below a chapter.
func program(
    _ chapter: String, _ name: String, _ needs: String, adding own: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: named(needs), path: "\(chapter)/\(name)",
        swiftSettings: settings + own)
}

/// Tests in the folder of their name, below a chapter.
func tests(_ chapter: String, _ name: String, _ needs: String, copies: String = "") -> Target {
    .testTarget(
        name: name, dependencies: named(needs), path: "Tests/\(chapter)/\(name)",
        resources: words(copies).map { .copy($0) }, swiftSettings: settings)
}

let (core, images, service) = ("Sources/Core", "Sources/Images", "Sources/Service")
let hosts = "Sources/Hosts"
let (support, programs) = ("Tests/Support", "Tests/Programs")
// CLullLibevent is for a program with an event_base of its own that a loop adopts.
let libraries = """
    Lull IdleLoop CLullLibevent ScrollModel ListCells DeferredLoading ImageLoading ImageFormatsHEIF
    IsolatedDecoding HTTPLoading LoopSystemd LoopLifecycle LoopMetrics LoopLogging LullTesting
    LoopGLib LoopGTK4 LoopNIO LoopSDEvent LoopUV
    """
// Those in C that a product brings, and a library for C loads only if they're installed.
let codecs = ["ImageFormatsHEIF": ["CLullHEIFCodecs"]]
let loading = "DeferredLoading IdleLoop ImageLoading TestSupport"
let log = "IdleLoop Logging LoopLogging"

/// Arrows point down only: a target may import what it names here and nothing else.
let package = Package(
    name: "lull",
    products: words(libraries).map { .library(name: $0, targets: [$0] + (codecs[$0] ?? [])) } + [
        .executable(name: "lull-picture-helper", targets: ["lull-picture-helper"]),
        .executable(name: "lull-heif-picture-helper", targets: ["lull-heif-picture-helper"]),
        // For C: Sources/C/install makes liblull.so of it, whose header is lull.h.
        .library(name: "lull-c", type: .dynamic, targets: ["LullC"]),
        // And liblull-pictures.so, whose header is lull-pictures.h.
        .library(name: "lull-pictures-c", type: .dynamic, targets: ["LullPicturesC"]),
    ],
    traits: [
        .trait(name: "Logging", description: "LoopLogging, with swift-log"),
        .trait(name: "Metrics", description: "LoopMetrics, with swift-metrics"),
        .trait(
            name: "Lifecycle", description: "LoopLifecycle, with swift-service-lifecycle",
            enabledTraits: ["Logging"]),
        .trait(name: "NIO", description: "LoopNIO, with swift-nio"),
        .trait(name: "GTK4", description: "LoopGTK4, with the system's GTK 4"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLullLibevent", path: "\(core)/CLullLibevent", pkgConfig: "libevent_core",
            providers: [.apt(["libevent-dev"])]),
        target(core, "LullLibC"), target(core, "LullTime"),
        target(core, "ScrollModel", "LullTime LullLibC"), target(core, "ListCells", "LullLibC"),
        // The commit is given by whoever makes a release's packages; others have the version.
        inC(
            core, "CLullBuildFacts",
            define: Context.environment["LULL_COMMIT"].map { ("LULL_COMMIT", $0) }),
        target(core, "IdleLoop", "CLullBuildFacts CLullLibevent LullTime LullLibC"),
        target(core, "DeferredLoading", "IdleLoop LullLibC ScrollModel"),
        target(core, "Lull", "DeferredLoading IdleLoop ListCells ScrollModel"),
        .systemLibrary(
            name: "CLullZlib", path: "\(images)/CLullZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),
        inC(images, "CLullPictureCodecs", links: "jpeg lcms2 m png16 webp"),
        target(
            images, "ImageLoading", "CLullPictureCodecs CLullZlib DeferredLoading IdleLoop LullLibC"
        ),
        inC(images, "CLullHEIF"), inC(images, "CLullHEIFCodecs", "CLullHEIF", links: "avif de265"),
        target(images, "ImageFormatsHEIF", "CLullHEIF ImageLoading LullLibC"),
        inC(images, "CLullSandbox"), inC(images, "CLullSeccomp", "CLullSandbox", links: "seccomp"),
        target(
            images, "IsolatedDecoding",
            "CLullSandbox DeferredLoading IdleLoop ImageLoading LullLibC"),
        program(images, "lull-picture-helper", "CLullSeccomp IsolatedDecoding LullLibC"),
        program(
            images, "lull-heif-picture-helper",
            "CLullHEIFCodecs CLullSeccomp ImageFormatsHEIF ImageLoading IsolatedDecoding LullLibC"),
        inC(service, "CLullCurl", links: "curl"),
        target(service, "HTTPLoading", "CLullCurl DeferredLoading IdleLoop ImageLoading LullLibC"),
        target(service, "LoopSystemd", "IdleLoop LullLibC"),
        target(service, "LoopLogging", "IdleLoop LullLibC Logging"),
        target(service, "LoopMetrics", "IdleLoop CoreMetrics"),
        target(service, "LoopLifecycle", log + " LullLibC ServiceLifecycle"),
        target(hosts, "LullForeignHosts", "CLull IdleLoop LullLibC"),
        .systemLibrary(
            name: "CLullGLib", path: "\(hosts)/CLullGLib", pkgConfig: "glib-2.0",
            providers: [.apt(["libglib2.0-dev"])]),
        inC(hosts, "CLullGLibHost", "CLullGLib CLull"),
        .systemLibrary(
            name: "CLullGTK4", path: "\(hosts)/CLullGTK4", pkgConfig: "gtk4",
            providers: [.apt(["libgtk-4-dev"])]),
        withGTK(hosts, "CLullGTK4Host", "CLull"),
        inC(hosts, "CLullSDEventHost", "CLull", links: "systemd"),
        inC(hosts, "CLullUVHost", "CLull", links: "uv"),
        target(hosts, "LoopGLib", "CLullGLibHost LullForeignHosts IdleLoop"),
        target(
            hosts, "LoopGTK4", "CLull CLullGTK4Host DeferredLoading IdleLoop LullLibC ScrollModel"),
        target(hosts, "LoopSDEvent", "CLullSDEventHost LullForeignHosts IdleLoop"),
        target(hosts, "LoopUV", "CLullUVHost LullForeignHosts IdleLoop"),
        target(hosts, "LoopNIO", "IdleLoop LullLibC NIOCore NIOPosix"),
        inC("Sources/C", "CLull"),
        inC("Sources/C", "CLullTexts", "CLull"),
        target("Sources/C", "LullCalls", "CLull IdleLoop LullLibC"),
        target(
            "Sources/C", "LullC",
            "CLull CLullTexts DeferredLoading LullCalls LullForeignHosts IdleLoop LullLibC "
                + "ScrollModel"),
        inC("Sources/C", "CLullPictures", "CLull"),
        target(
            "Sources/C", "LullPicturesC",
            "CLull CLullPictures IdleLoop ImageFormatsHEIF ImageLoading IsolatedDecoding LullCalls "
                + "LullLibC"),
        target("Sources/Testing", "LullTesting", "DeferredLoading IdleLoop LullLibC ScrollModel"),

        // Tests/Support is a package, too, which fuzzers and the tests of demos have these from.
        target(support, "TestSupport", "ScrollModel"), target(support, "TestServer", "IdleLoop"),
        target(support, "ShippedTraces", "LullTesting ScrollModel"),
        target(support, "SourceChecks"), inC(support, "CLoopHelpers", links: "event_pthreads"),
        inC(support, "COldKernel"), inC(support, "CHostLoops", "CLullGLib", links: "systemd uv"),
        withGTK(support, "CGTKWindow"),
        inC(support, "CPictureEncoders", links: "jpeg lcms2 png16 webp"),
        target(support, "RandomPrograms", "DeferredLoading IdleLoop ScrollModel TestSupport"),
        .executableTarget(
            name: "fake-helper", dependencies: ["COldKernel", "CLullSeccomp"],
            path: "\(support)/fake-helper", cSettings: [.treatAllWarnings(as: .error)]),
        program(programs, "loop-program", "IdleLoop CLullLibevent CLoopHelpers"),
        program(
            programs, "host-program",
            "IdleLoop CHostLoops CLullLibevent CLoopHelpers LoopGLib LoopNIO LoopSDEvent LoopUV NIOCore "
                + "NIOPosix"),
        program(
            programs, "gtk-program",
            "CGTKWindow DeferredLoading IdleLoop LoopGLib LoopGTK4 ScrollModel"),
        program(programs, "picture-program", "DeferredLoading IdleLoop ImageLoading"),
        program(programs, "readme-program", "ImageLoading Lull"),
        // As in the README's package, whose code is isolated to the main actor.
        program(
            programs, "main-actor-program", "Lull", adding: [.defaultIsolation(MainActor.self)]),
        program(programs, "remote-program", "HTTPLoading ImageLoading Lull"),
        tests(
            "Core", "IdleLoopTests",
            "IdleLoop CHostLoops CLullLibevent CLoopHelpers COldKernel LoopGLib LoopNIO LoopSDEvent "
                + "LoopUV NIOCore RandomPrograms TestSupport"),
        tests("Core", "ScrollModelTests", "ScrollModel TestSupport"),
        tests("Core", "ListCellsTests", "ListCells ScrollModel TestSupport"),
        tests("Core", "DeferredLoadingTests", loading + " ListCells RandomPrograms ScrollModel"),
        tests(
            "Images", "ImageLoadingTests",
            loading + " CLullPictureCodecs CPictureEncoders CLullZlib"),
        tests(
            "Images", "ImageFormatsHEIFTests",
            loading
                + " CLullHEIFCodecs ImageFormatsHEIF IsolatedDecoding lull-heif-picture-helper",
            copies: "Pictures"),
        tests(
            "Images", "IsolatedDecodingTests",
            loading
                + " COldKernel IsolatedDecoding CPictureEncoders lull-picture-helper fake-helper"),
        tests(
            "Service", "HTTPLoadingTests",
            loading + " HTTPLoading CPictureEncoders CLullZlib TestServer remote-program"),
        tests(
            "Service", "LoopSystemdTests",
            "LoopSystemd IdleLoop TestSupport"),
        tests("Service", "LoopLoggingTests", log + " InMemoryLogging TestSupport"),
        tests("Service", "LoopMetricsTests", "LoopMetrics IdleLoop CoreMetrics MetricsTestKit"),
        tests(
            "Service", "LoopLifecycleTests",
            log
                + " LoopLifecycle LoopMetrics LoopSystemd CoreMetrics InMemoryLogging ServiceLifecycle "
                + "ServiceLifecycleTestKit SourceChecks"),
        tests(
            "Hosts", "LoopNIOTests",
            "LoopNIO NIOCore NIOEmbedded NIOPosix SourceChecks TestSupport"),
        tests("C", "LullCTests", "LullC CLullLibevent CLull"),
        tests("Testing", "LullTestingTests", loading + " LullTesting ScrollModel ShippedTraces"),
        tests(
            "Programs", "ProgramTests",
            loading
                + " host-program loop-program main-actor-program picture-program readme-program"),
        // Examples of all libraries are compiled.
        tests(
            "Source", "SourceTests",
            libraries + " SourceChecks TestSupport"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings?.append(contentsOf: builtIn.map { .define($0) })
}
// A run under a sanitizer needn't even build some tests, and optimises some targets in debug builds.
package.targets.removeAll { $0.type == .test && set("LULL_TESTS_LEFT_OUT").contains($0.name) }
for target in package.targets where set("LULL_OPTIMIZED").contains(target.name) {
    target.swiftSettings?.append(
        .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
}
