import Foundation
import Testing

@testable import IsolatedDecoding

@Suite struct `The sandbox` {
    @Test(arguments: ["open", "socket", "fork", "exec", "kill", "trace", "code"])
    func `ends a process that does what it may not`(name: String) throws {
        #expect(try status(of: "--try", name) == -SIGSYS)
    }

    @Test func `lets a process go that does nothing`() throws {
        #expect(try status(of: "--try", "nothing") == EX_USAGE)
    }

    @Test func `is not for people`() throws {
        #expect(try status() == EX_USAGE)
        #expect(try status(of: "--memory", "0") == EX_USAGE)
        #expect(try status(of: "--memory", "much") == EX_USAGE)
        #expect(try status(of: "--memory", "1000000") == EX_USAGE)
    }

    /// The exit status of the helper's program, or minus the signal that ended it.
    private func status(of arguments: String...) throws -> Int32 {
        let file = try SharedBytes.file(of: [])  // no connection
        let process = try HelperProcess(
            path: Bench.helper, arguments: arguments, socket: file)
        var status: Int32 = 0
        while unsafe waitpid(process.number, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}
