internal import RandomPrograms

/// libFuzzer's entry: a random program of calls of a loader and of lists that share it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    LoaderProgram.run(unsafe Choices(start, count)) { fatalError($0) }
    return 0
}
