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

/// A program whose `main` is libFuzzer's.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency] = ["Fuzzing"]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies,
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

func lull(_ product: String) -> Target.Dependency { .product(name: product, package: "lull") }

func support(_ product: String) -> Target.Dependency {
    .product(name: product, package: "support")
}

/// Throws bytes at the decoders, and random programs at everything that has callbacks, one program
/// for each; `./run` builds and runs them.
let package = Package(
    name: "fuzz",
    dependencies: [
        .package(name: "lull", path: "../.."), .package(name: "support", path: "../Support"),
    ],
    targets: [
        .target(
            name: "Fuzzing", dependencies: [.product(name: "ImageLoading", package: "lull")],
            packageAccess: false, swiftSettings: insideSettings),
        fuzzer("fuzz-jpeg"), fuzzer("fuzz-png"), fuzzer("fuzz-webp"), fuzzer("fuzz-gif"),
        fuzzer("fuzz-exif"),
        // Decodes in a helper of its own.
        fuzzer(
            "fuzz-heif",
            [
                lull("IdleLoop"), lull("ImageFormatsHEIF"), lull("ImageLoading"),
                lull("IsolatedDecoding"),
            ]),
        fuzzer("fuzz-http", [lull("HTTPLoading"), lull("IdleLoop"), lull("ImageLoading")]),
        // Hosts with an event_base of their own.
        fuzzer(
            "fuzz-loop",
            [support("RandomPrograms"), lull("CLullLibevent"), lull("IdleLoop")]),
        fuzzer("fuzz-loader", [support("RandomPrograms")]),
        .target(
            name: "CPrograms", dependencies: [lull("CLullLibevent"), lull("lull-c")],
            cSettings: [.treatAllWarnings(as: .error)]),
        fuzzer("fuzz-c", ["CPrograms"]),
    ],
    swiftLanguageModes: [.v6]
)
