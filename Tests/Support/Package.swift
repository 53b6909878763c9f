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

/// A target in the folder of its name, with the products of Lull that it needs.
func target(_ name: String, _ needs: String...) -> Target {
    .target(
        name: name, dependencies: needs.map { .product(name: $0, package: "lull") }, path: name,
        swiftSettings: settings)
}

/// What tests share, for fuzzers and the tests of demos.
///
/// The library's own tests have the same folders as targets of its package, which can't depend on this
/// one.
let package = Package(
    name: "support",
    products: [
        "TestSupport", "TestServer", "COldKernel", "CPictureEncoders", "RandomPrograms",
        "ShippedTraces", "SourceChecks",
    ].map { .library(name: $0, targets: [$0]) },
    dependencies: [.package(name: "lull", path: "../..")],
    targets: [
        target("TestSupport", "ScrollModel"), target("TestServer", "IdleLoop"),
        target("ShippedTraces", "LullTesting", "ScrollModel"),
        target("SourceChecks"),
        .target(
            name: "RandomPrograms",
            dependencies: [
                "TestSupport", .product(name: "DeferredLoading", package: "lull"),
                .product(name: "IdleLoop", package: "lull"),
                .product(name: "ScrollModel", package: "lull"),
            ],
            path: "RandomPrograms", packageAccess: false, swiftSettings: insideSettings),
        .target(
            name: "COldKernel", path: "COldKernel", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "CPictureEncoders", path: "CPictureEncoders",
            cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: ["jpeg", "lcms2", "png16", "webp"].map { .linkedLibrary($0) }),
    ],
    swiftLanguageModes: [.v6]
)
