internal import RandomPrograms

/// The hosts of all programs, as a loop leaves nothing behind; libFuzzer has one thread.
nonisolated(unsafe) private let hosts = [Host(priorities: 1), Host(priorities: 3)]

/// libFuzzer's entry: a random program of calls of a loop and what hangs on it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let hosts = unsafe hosts.map { host in { host as any ProgramHost } }
    LoopProgram.run(unsafe Choices(start, count), on: hosts) { fatalError($0) }
    return 0
}
