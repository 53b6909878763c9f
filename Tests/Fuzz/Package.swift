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

/// A program whose `main` is libFuzzer's.
func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["Fuzzing"],
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

/// Throws bytes at the decoders, one program for each; `./run` builds and runs them.
let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "lull", path: "../..")],
    targets: [
        .target(
            name: "Fuzzing", dependencies: [.product(name: "ImageLoading", package: "lull")],
            swiftSettings: settings),
        fuzzer("fuzz-jpeg"), fuzzer("fuzz-png"), fuzzer("fuzz-webp"), fuzzer("fuzz-gif"),
        fuzzer("fuzz-exif"),
    ],
    swiftLanguageModes: [.v6]
)
