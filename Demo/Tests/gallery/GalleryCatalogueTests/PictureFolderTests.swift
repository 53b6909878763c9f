import COldKernel
import Glibc
import TestSupport
import Testing

@testable import GalleryFiles

struct PictureFolderTests {
    private let tree = PictureTree()

    private func path(_ name: String) throws -> FilePath {
        try #require(FilePath(Array(name.utf8)))
    }

    private func errno(_ body: () throws(FileError) -> Void) -> Int32? {
        do throws(FileError) {
            try body()
            return nil
        } catch {
            guard case .system(_, let errno) = error else { return -1 }
            return errno
        }
    }

    @Test func `what leads upwards is no path`() {
        let bad = [
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/../b", "a/./b", "a\u{0}b",
        ]
        for name in bad { #expect(FilePath(Array(name.utf8)) == nil, "\(name)") }
        let good = ["a", "a/b", "...", "a/...b", "..a", " ", "a\nb", "%2e%2e"]
        for name in good { #expect(FilePath(Array(name.utf8))?.text == name) }
        for part in ["", ".", "..", "a/b", "a\u{0}"] {
            #expect(FilePath.root.appending(Array(part.utf8)) == nil)
        }
    }

    @Test func `links are followed as long as they stay inside`() throws {
        let outside = PictureTree()
        outside.write("secret.jpg")
        tree.makeFolder("a")
        tree.write("a/in.jpg")
        tree.link("inside.jpg", to: "a/in.jpg")
        tree.link("a/up.jpg", to: "../a/in.jpg")
        tree.link("out.jpg", to: outside.path + "/secret.jpg")
        tree.link("absolute.jpg", to: tree.path + "/a/in.jpg")
        tree.link("up.jpg", to: "../../../../../../etc/passwd")
        tree.link("loop.jpg", to: "loop.jpg")
        tree.link("one.jpg", to: "two.jpg")
        tree.link("two.jpg", to: "one.jpg")
        tree.link("folder", to: outside.path)
        tree.link("magic.jpg", to: "/proc/self/fd/0")
        let folder = try tree.folder()
        #expect(try folder.open(path("inside.jpg")).facts.kind == .regular)
        #expect(try folder.open(path("a/up.jpg")).facts.kind == .regular)
        for name in ["out.jpg", "absolute.jpg", "up.jpg", "folder/secret.jpg", "magic.jpg"] {
            let path = try path(name)
            #expect(errno { () throws(FileError) in _ = try folder.open(path) } == EXDEV, "\(name)")
            #expect(errno { () throws(FileError) in _ = try folder.facts(of: path) } == EXDEV)
        }
        for name in ["loop.jpg", "one.jpg"] {
            let path = try path(name)
            #expect(errno { () throws(FileError) in _ = try folder.open(path) } == ELOOP, "\(name)")
        }
        let link = try path("folder")
        #expect(errno { () throws(FileError) in _ = try folder.openFolder(link) } == ENOTDIR)
    }

    @Test func `a pipe, a device and a folder are no files, and nothing waits for them`() throws {
        #expect(unsafe mkfifo(tree.place("pipe.jpg"), 0o600) == 0)
        tree.makeFolder("folder.jpg")
        let folder = try tree.folder()
        #expect(try folder.open(path("pipe.jpg")).facts.kind == .other)
        #expect(try folder.open(path("folder.jpg")).facts.kind == .folder)
        // Only root makes devices.
        if unsafe mknod(tree.place("null.jpg"), S_IFCHR | 0o600, 0x103) == 0 {
            #expect(try folder.open(path("null.jpg")).facts.kind == .other)
        }
    }

    @Test func `a folder is listed twice through the same descriptor, and no further than wanted`()
        throws
    {
        for number in 0..<50 { tree.write("\(number).jpg") }
        let opened = try tree.folder().openFolder(.root)
        for _ in 0..<2 {
            var count = 0
            try opened.forEachEntry { _ in
                count += 1
                return true
            }
            #expect(count == 50)
        }
        var count = 0
        try opened.forEachEntry { _ in
            count += 1
            return count < 3
        }
        #expect(count == 3)
        #expect(try opened.facts(of: Array("7.jpg".utf8)).kind == .regular)
        for name in ["..", ".", "", "a/b"] {
            #expect(
                errno { () throws(FileError) in _ = try opened.facts(of: Array(name.utf8)) }
                    == ENOENT)
        }
    }

    @Test func `without openat2 it isn't opened, and the error says which call is missing`() async {
        await #expect(processExitsWith: .success) {
            precondition(lull_enter_old_kernel() == 0, "the calls are missing")
            #expect(throws: FileError.system(call: "openat2", errno: ENOSYS)) {
                try PictureFolder("/")
            }
        }
    }

    @Test func `nothing stays open`() throws {
        tree.makeFolder("a")
        tree.write("a/b.jpg")
        let folder = try tree.folder()
        for _ in 0..<3 {
            try folder.openFolder(path("a")).forEachEntry { _ in true }
            _ = try folder.open(path("a/b.jpg")).facts
            _ = try? folder.open(path("a/c.jpg"))
            _ = try? folder.openFolder(path("a/b.jpg"))
        }
        #expect(openDescriptors(of: tree.path + "/a") == 0)
        #expect(openDescriptors(of: tree.path + "/a/b.jpg") == 0)
    }

    @Test func `a change in a watched folder is told, though its name is another by now`() throws {
        tree.makeFolder("a")
        let folder = try tree.folder()
        let watches = try FolderWatches()
        let watch = try {
            let opened = try folder.openFolder(path("a"))
            tree.move("a", to: "b")
            let watch = try watches.watch(opened)
            #expect(try watches.watch(opened) == watch)
            return watch
        }()
        #expect(watches.events() == [])
        let names = (0..<10).map { "\($0).jpg" }
        let changes = names.map { FolderEvent.changed(watch, name: Array($0.utf8)) }
        for name in names { tree.write("b/\(name)") }
        #expect(watches.events() == changes)
        for name in names { tree.delete("b/\(name)") }
        tree.delete("b")
        #expect(watches.events() == changes + [.moved(watch), .ended(watch)])
    }
}
