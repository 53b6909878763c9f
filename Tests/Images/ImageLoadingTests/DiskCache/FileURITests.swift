import Glibc
import Testing

@testable import ImageLoading

@Suite struct `The address of a file` {
    @Test func `leaves the characters that GLib leaves, and escapes every other byte`() {
        let plain = Set(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$&'()*+,:=@~_-./".utf8)
        let wrong = (UInt8.min...UInt8.max).filter { byte in
            let hex = String(byte, radix: 16, uppercase: true)
            let escaped = "%" + (byte < 16 ? "0" : "") + hex
            let expected = plain.contains(byte) ? String(UnicodeScalar(byte)) : escaped
            return FileURI(path: [0x2F, byte]).text != "file:///\(expected)"
        }
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("/home/jens/photos/me.png", "file:///home/jens/photos/me.png"),
        ("/a b;c#d?e%f", "file:///a%20b%3Bc%23d%3Fe%25f"),
        ("/é\n|^`<>[]{}\\\"", "file:///%C3%A9%0A%7C%5E%60%3C%3E%5B%5D%7B%7D%5C%22"),
        ("/a//b/./c/", "file:///a/b/c"), ("///a", "file:///a"), ("//a", "file:////a"),
        ("/", "file:///"), ("/..", "file:///"), ("/usr/../usr/.", "file:///usr"),
    ])
    func `is made as GLib makes it`(path: String, address: String) {
        #expect(FileURI(file: path)?.text == address)
    }

    @Test func `of a relative path begins at the current folder`() {
        let current = unsafe getcwd(nil, 0)!
        defer { unsafe free(current) }
        let folder = unsafe String(cString: current)
        #expect(FileURI(file: "./b//a.png") == FileURI(file: "b/a.png"))
        #expect(FileURI(file: "a.png") == FileURI(file: folder + "/a.png"))
    }

    @Test func `is refused to no name and to one with a zero`() {
        #expect(FileURI(file: "") == nil)
        #expect(FileURI(file: "/a\0b") == nil)
    }

    @Test func `keeps symbolic links, and is refused where they lead up elsewhere`() {
        let folder = CacheFolder()
        let path = folder.write("deep/down/a.png", [1])
        folder.write("a.png", [2])
        unsafe symlink("\(folder.path)/deep/down", "\(folder.path)/link")
        // The one is a file through a link; of the other's name, GLib makes another file's.
        #expect(FileURI(file: "\(folder.path)/link/a.png")?.text.hasSuffix("/link/a.png") == true)
        #expect(FileURI(file: "\(folder.path)/link/../a.png") == nil)
        #expect(FileURI(file: "\(folder.path)/deep/../deep/down/a.png") == FileURI(file: path))
        #expect(FileURI(file: "\(folder.path)/deep/../nothing.png") == nil)
    }
}
