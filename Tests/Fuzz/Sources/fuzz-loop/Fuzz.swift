internal import RandomPrograms

/// libFuzzer's entry: a random program of calls of a loop and what hangs on it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let program = unsafe Program(Choices(start, count))
    program.run()
    return 0
}
