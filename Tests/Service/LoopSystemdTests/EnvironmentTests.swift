import Glibc
import IdleLoop
import LoopSystemd
import Testing

/// What a service reads from its own environment, each in a process of its own.
struct EnvironmentTests {
    @Test func `a service is described by variables, which children inherit unless told not to`()
        async
    {
        await #expect(processExitsWith: .success) {
            let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
            for (name, value) in zip(names, ["@lull-nobody", "2000000", "\(getpid())"]) {
                unsafe setenv(name, value, 1)
            }
            let loop = try MainLoop()
            let service = try ManagedService(on: loop)
            precondition(service.notifier.hasManager)
            precondition(service.watchdog?.period == .seconds(2))
            precondition(names.allSatisfy { unsafe getenv($0) != nil })
            let other = try ManagedService(on: loop, unsetsEnvironment: true)
            precondition(other.notifier.hasManager && other.watchdog != nil)
            precondition(names.allSatisfy { unsafe getenv($0) == nil })
            let none = try ManagedService(on: loop)
            precondition(!none.notifier.hasManager && none.watchdog == nil)
        }
    }

    @Test func `variables that tell of descriptors are gone afterwards, whatever they said`() async
    {
        await #expect(processExitsWith: .success) {
            let names = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]
            for (name, value) in zip(names, ["x", "\(getpid())", "web"]) {
                unsafe setenv(name, value, 1)
            }
            #expect(throws: SystemdError.malformed(variable: "LISTEN_FDS", value: "x")) {
                _ = try PassedDescriptors()
            }
            precondition(names.allSatisfy { unsafe getenv($0) == nil })
            let none = try PassedDescriptors()
            precondition(none.descriptors.isEmpty)
        }
    }
}
