import Glibc
import ImageLoading
import TerminalPictures
import Testing

struct KittyLocalTests {
    private let picture = Picture.rows([[(1, 2, 3), (4, 5, 6)]])

    private func bytes(ofFile path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    @Test func `shared memory holds the pixels until it's let go of`() throws {
        let name: String
        do {
            let local = try KittyLocalPicture(picture)
            name = local.name
            #expect(bytes(ofFile: "/dev/shm" + name) == [1, 2, 3, 4, 5, 6])
            let command = try GraphicsStream(local.transmit(as: 3)).commands[0]
            #expect(command.keys["t"] == "s" && command.keys["f"] == "24")
            #expect(command.keys["s"] == "2" && command.keys["v"] == "1")
            #expect(decoded(command.data) == Array(name.utf8))
            #expect(local.transmit(as: 3).count < 100)
        }
        #expect(bytes(ofFile: "/dev/shm" + name) == nil)
    }

    @Test func `a temporary file has the name that terminals remove`() throws {
        let path: String
        do {
            let local = try KittyLocalPicture(picture, in: .temporaryFile(folder: P_tmpdir))
            path = local.name
            #expect(path.contains("tty-graphics-protocol"))
            #expect(bytes(ofFile: path) == [1, 2, 3, 4, 5, 6])
            let command = try GraphicsStream(local.transmit(as: 3)).commands[0]
            #expect(command.keys["t"] == "t")
            #expect(decoded(command.data) == Array(path.utf8))
        }
        #expect(bytes(ofFile: path) == nil)
    }

    @Test func `what is left to the terminal stays`() throws {
        let local = try KittyLocalPicture(picture, in: .temporaryFile(folder: P_tmpdir))
        let path = local.name
        local.leaveToTerminal()
        #expect(bytes(ofFile: path) == [1, 2, 3, 4, 5, 6])
        unsafe unlink(path)
    }

    @Test func `what the system refuses is told`() {
        #expect(throws: TerminalPictureError.system(call: "open", errno: ENOENT)) {
            _ = try KittyLocalPicture(picture, in: .temporaryFile(folder: "/nowhere"))
        }
    }
}
