// swift-tools-version: 6.3
import PackageDescription

/// A GTK program in Swift, whose main actor is on GLib's loop; a package of its own, so that nobody who
/// builds the other demos needs GTK.
let package = Package(
    name: "main-actor-gtk",
    dependencies: [.package(name: "lull", path: "../..")],
    targets: [
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "main-actor-gtk",
            dependencies: [
                "CGTK",
                .product(name: "IdleLoop", package: "lull"),
                .product(name: "LoopGLib", package: "lull"),
            ], path: "Sources/Program",
            swiftSettings: [
                .defaultIsolation(MainActor.self), .treatAllWarnings(as: .error),
                .strictMemorySafety(),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
