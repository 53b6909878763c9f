import Foundation
import TestSupport
import Testing

/// What the command shows people, kept with the tests' results to be looked at.
struct ScreenTests {
    static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: browser != nil, "needs a Chromium"), arguments: [0, 1])
    func `a browser draws the page`(_ scheme: Int) throws {
        let folder = try Folder()
        let page = folder.path + "/page.html"
        let replays = try Command(
            "scroll-replay",
            [
                "compare", Command.trace("fling-train-read"), "--policies", "within3,p7,value",
                "--report", page,
            ])
        #expect(replays.status == 0)
        let picture = folder.path + "/page.png"
        let shot = try Command([
            "/usr/bin/timeout", "240", try #require(Self.browser), "--headless", "--no-sandbox",
            "--user-data-dir=\(folder.path)/profile", "--hide-scrollbars",
            "--window-size=1400,1600", "--blink-settings=preferredColorScheme=\(scheme)",
            "--virtual-time-budget=5000", "--enable-logging=stderr", "--screenshot=\(picture)",
            "file://\(page)",
        ])
        #expect(shot.status == 0)
        #expect(!shot.errors.contains("CONSOLE"), "\(shot.errors)")
        let png = try Data(contentsOf: URL(filePath: picture))
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.count > 20_000)
        Attachment.record(
            [UInt8](png), named: scheme == 0 ? "page-dark.png" : "page-light.png")
    }
}
