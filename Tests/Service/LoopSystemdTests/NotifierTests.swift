import Glibc
import IdleLoop
import TestSupport
import Testing

@testable import LoopSystemd

/// A folder with a manager's socket in it.
final class ManagerFolder {
    let path = makeTemporaryFolder("manager")
    var socket: String { "\(path)/notify" }

    deinit {
        unsafe unlink(socket)
        unsafe rmdir(path)
    }
}

struct NotifierTests {
    @Test func `states are lines of one message`() throws {
        let folder = ManagerFolder()
        let manager = try DatagramSocket(folder.socket)
        let notifier = try ServiceNotifier(socket: folder.socket)
        #expect(try notifier.notify(.ready, .status("serves 3 lists = all")))
        #expect(try notifier.notify(.stopping))
        #expect(try notifier.notify(.reloading(since: Instant(nanoseconds: 1_234_567_890))))
        #expect(try notifier.notify(.watchdog))
        #expect(try notifier.notify(ServiceState("X_MINE", "")))
        #expect(
            manager.receiveAll() == [
                "READY=1\nSTATUS=serves 3 lists = all\n", "STOPPING=1\n",
                "RELOADING=1\nMONOTONIC_USEC=1234567\n", "WATCHDOG=1\n", "X_MINE=\n",
            ])
    }

    @Test func `a reload tells when it began, on the clock that the manager reads`() throws {
        let before = LoopClock.monotonic.now
        let message = String(decoding: try ServiceState.message([.reloading]), as: UTF8.self)
        let after = LoopClock.monotonic.now
        let digits = message.drop { $0 != "\n" }.filter(\.isNumber)
        let moment = try #require(Int64(digits))
        #expect((before.nanoseconds / 1000...after.nanoseconds / 1000).contains(moment))
    }

    @Test func `an abstract name is an address, too`() throws {
        let name = "@lull-notifier-\(getpid())"
        let manager = try DatagramSocket(name)
        #expect(try ServiceNotifier(socket: name).notify(.ready))
        #expect(manager.receiveAll() == ["READY=1\n"])
    }

    @Test func `nobody who wants to hear is no error`() throws {
        let notifier = try ServiceNotifier(socket: nil)
        #expect(!notifier.hasManager)
        #expect(try !notifier.notify(.ready))
    }

    @Test(arguments: ["notify", "@", "/", "vsock:2:1234", "./notify", ""])
    func `what is no address is told`(text: String) {
        #expect(throws: SystemdError.malformed(variable: "NOTIFY_SOCKET", value: text)) {
            try ServiceNotifier(socket: text)
        }
    }

    @Test func `an address may be as long as the system takes, and no longer`() throws {
        for first in ["/", "@"] {
            let longest = first == "/" ? 107 : 108
            let fits = first + String(repeating: "x", count: longest - 1)
            #expect(throws: SystemdError.gone) { try ServiceNotifier(socket: fits).notify(.ready) }
            #expect(throws: SystemdError.addressTooLong(fits + "x")) {
                try ServiceNotifier(socket: fits + "x")
            }
        }
    }

    @Test func `a manager that went is told, and heard again when it's back`() throws {
        let folder = ManagerFolder()
        let notifier = try ServiceNotifier(socket: folder.socket)
        #expect(throws: SystemdError.gone) { try notifier.notify(.ready) }
        var manager: DatagramSocket? = try DatagramSocket(folder.socket)
        #expect(try notifier.notify(.ready))
        #expect(manager?.receiveAll() == ["READY=1\n"])
        manager = nil
        #expect(throws: SystemdError.gone) { try notifier.notify(.ready) }
        unsafe unlink(folder.socket)
        let next = try DatagramSocket(folder.socket)
        #expect(try notifier.notify(.stopping))
        #expect(next.receiveAll() == ["STOPPING=1\n"])
    }

    @Test func `a manager that doesn't read is full, and nobody waits for it`() throws {
        let folder = ManagerFolder()
        let manager = try DatagramSocket(folder.socket)
        let notifier = try ServiceNotifier(socket: folder.socket)
        var sent = 0
        #expect(throws: SystemdError.full) {
            while sent < 100_000 {
                try notifier.notify(.watchdog)
                sent += 1
            }
        }
        #expect(manager.receiveAll().count == sent)
        #expect(try notifier.notify(.ready))
    }

    @Test func `what would be another field, or no end, isn't sent`() throws {
        let folder = ManagerFolder()
        let manager = try DatagramSocket(folder.socket)
        let notifier = try ServiceNotifier(socket: folder.socket)
        for text in ["a\nREADY=1", "a\0b", "\n"] {
            #expect(throws: SystemdError.unsendable(field: "STATUS")) {
                try notifier.notify(.ready, .status(text))
            }
        }
        #expect(throws: SystemdError.unsendable(field: "A=B")) {
            try notifier.notify(ServiceState("A=B", "C"))
        }
        #expect(throws: SystemdError.unsendable(field: "")) {
            try notifier.notify(ServiceState("", "C"))
        }
        let longest = String(repeating: "x", count: 4096 - 8)
        #expect(throws: SystemdError.messageTooLong(bytes: 4097)) {
            try notifier.notify(.status(longest + "x"))
        }
        #expect(manager.receiveAll() == [])
        #expect(try notifier.notify(.status(longest)))
        #expect(manager.receive()?.text.utf8.count == 4096)
    }
}
