// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
    ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error), .strictMemorySafety()]

func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
}

/// The words of an environment's variable, which tests set.
func set(_ variable: String) -> [String] { words(Context.environment[variable] ?? "") }

let packages = [
    "lull": """
    Lull IdleLoop CLullLibevent ScrollModel DeferredLoading ImageLoading ImageFormatsHEIF
    IsolatedDecoding HTTPLoading LoopSystemd LoopLifecycle LoopMetrics LoopLogging LullTesting
    lull-picture-helper lull-heif-picture-helper
    """,
    "support": "TestSupport TestServer COldKernel CPictureEncoders ShippedTraces SourceChecks",
    "swift-argument-parser": "ArgumentParser", "swift-log": "Logging",
    "swift-mustache": "Mustache",
]

/// Targets of this package by their names, and products of others.
func named(_ names: String) -> [Target.Dependency] {
    words(names).map { name in
        packages.first { words($0.value).contains(name) }
            .map { .product(name: name, package: $0.key) } ?? .byName(name: name)
    }
}

/// A target in the folder of its name, below another, or in a folder of another name.
func target(
    _ folder: String, _ name: String, _ needs: String = "", at place: String? = nil,
    embeds files: String = ""
) -> Target {
    .target(
        name: name, dependencies: named(needs), path: "\(folder)/\(place ?? name)",
        resources: words(files).map { .embedInCode($0) }, swiftSettings: settings)
}

/// A library of the system, and the Debian package that has its header.
func system(_ folder: String, _ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "\(folder)/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func program(_ path: String, _ name: String, _ needs: String, exclude: String = "") -> Target {
    .executableTarget(
        name: name, dependencies: named(needs), path: path, exclude: words(exclude),
        swiftSettings: settings)
}

/// Tests in the folder of their name, below a chapter.
func tests(_ chapter: String, _ name: String, _ needs: String, copies: String = "") -> Target {
    .testTarget(
        name: name, dependencies: named(needs), path: "Tests/\(chapter)/\(name)",
        resources: words(copies).map { .copy($0) }, swiftSettings: settings)
}

let replay = "scroll-replay"
let core = "DeferredLoading IdleLoop ScrollModel"

/// The programs that show what Lull does; they see of it what everybody sees.
let package = Package(
    name: "lull-demo",
    products: [
        // For Tests/Benchmarks.
        .library(name: "Laboratory", targets: ["Laboratory"]),
        .executable(name: "scroll-replay", targets: ["scroll-replay"]),
        .executable(name: "terminal-list", targets: ["terminal-list"]),
        .executable(name: "gallery", targets: ["gallery"]),
        .executable(name: "gallery-load", targets: ["gallery-load"]),
    ],
    dependencies: [
        .package(
            name: "lull", path: "..",
            traits: set("LULL_TRAITS").isEmpty ? ["Lifecycle", "Metrics"] : []),
        .package(name: "support", path: "../Tests/Support"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        program(
            "list", "terminal-list", "HTTPLoading ImageLoading Lull LullTesting", exclude: "run"),

        // Recorded scrolls: other systems' rules, replays and what is shown of them.
        system(replay, "CGzip", "zlib", apt: "zlib1g-dev"),
        target(replay, "ReplayText", "IdleLoop"),
        target(replay, "PeerPolicies", core),
        target(replay, "Laboratory", core + " LullTesting PeerPolicies ReplayText"),
        target(
            replay, "ReplayReport", core + " Laboratory LullTesting Mustache ReplayText",
            embeds: "web/report.css web/report.html web/scripts"),
        program(
            replay + "/Program", "scroll-replay",
            core + " ArgumentParser CGzip ImageLoading Laboratory LullTesting ReplayReport "
                + "ReplayText"),

        // Pictures for browsers.
        system("gallery", "CGallery", "libevent_extra", apt: "libevent-dev"),
        target("gallery", "GalleryFiles", "CGallery", at: "Files"),
        target("gallery", "GalleryWeb", "CGallery GalleryFiles", at: "Web"),
        target(
            "gallery", "GalleryCatalogue",
            "GalleryFiles IdleLoop ImageFormatsHEIF ImageLoading ScrollModel", at: "Catalogue"),
        target(
            "gallery", "GalleryPictures", "GalleryFiles IdleLoop ImageLoading",
            at: "Pictures"),
        target(
            "gallery", "GalleryKit",
            core
                + " GalleryCatalogue GalleryFiles GalleryPictures GalleryWeb ImageLoading Mustache "
                + "ReplayText",
            at: "Kit",
            embeds: "pages/gallery.css pages/gallery.html pages/icon.svg pages/scripts"),
        program(
            "gallery/Program", "gallery",
            """
            ArgumentParser CGallery GalleryCatalogue GalleryFiles GalleryKit GalleryPictures
            GalleryWeb IdleLoop ImageLoading IsolatedDecoding Logging LoopLogging LoopSystemd lull-heif-picture-helper
            """),
        program(
            "gallery/load", "gallery-load",
            """
            ArgumentParser CGallery GalleryCatalogue GalleryFiles GalleryKit GalleryPictures IdleLoop
            ImageLoading LullTesting ReplayText ScrollModel
            """, exclude: "run"),

        tests(
            ".", "CommandTests",
            "IdleLoop ImageLoading LullTesting TestServer TestSupport scroll-replay terminal-list"),
        tests(replay, "PeerPoliciesTests", core + " PeerPolicies"),
        tests(
            replay, "LaboratoryTests",
            core + " Laboratory LullTesting ReplayText ShippedTraces",
            copies: "check-vectors.txt"),
        tests(
            replay, "ReplayReportTests",
            core + " Laboratory LullTesting ReplayReport ReplayText ShippedTraces"),
        target("Tests/gallery", "GalleryTestSupport", "GalleryWeb TestSupport", at: "Support"),
        tests(
            "gallery", "GalleryKitTests",
            core + " CGallery GalleryCatalogue GalleryFiles GalleryKit GalleryPictures "
                + "GalleryTestSupport GalleryWeb ImageLoading LullTesting ReplayText TestSupport"),
        tests(
            "gallery", "GalleryWebTests",
            "CGallery GalleryTestSupport GalleryWeb TestSupport"),
        tests(
            "gallery", "GalleryCatalogueTests",
            "COldKernel GalleryCatalogue GalleryFiles GalleryTestSupport IdleLoop ImageLoading "
                + "LullTesting ScrollModel TestSupport"),
        tests(
            "gallery", "GalleryPicturesTests",
            core + " CPictureEncoders GalleryFiles GalleryPictures GalleryTestSupport "
                + "ImageLoading LullTesting TestSupport"),
        tests(
            "gallery", "GalleryProgramTests",
            "ArgumentParser GalleryWeb Logging TestSupport gallery"),
        tests(
            "Source", "DemoSourceTests",
            core + " GalleryCatalogue GalleryFiles GalleryKit "
                + "GalleryPictures GalleryWeb ImageLoading Laboratory LullTesting PeerPolicies "
                + "ReplayReport SourceChecks "
                // The examples of the library have these in their context.
                + "HTTPLoading ImageFormatsHEIF IsolatedDecoding LoopLifecycle LoopMetrics LoopSystemd "
                + "TestSupport"),
    ],
    swiftLanguageModes: [.v6]
)

// A run under a sanitizer needn't even build some tests, and optimises some targets in debug builds.
package.targets.removeAll { $0.type == .test && set("LULL_TESTS_LEFT_OUT").contains($0.name) }
for target in package.targets where set("LULL_OPTIMIZED").contains(target.name) {
    target.swiftSettings?.append(
        .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
}
