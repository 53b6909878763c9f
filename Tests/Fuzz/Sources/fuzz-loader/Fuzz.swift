internal import Programs

/// libFuzzer's entry: a random program.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = unsafe Choices(start, count)
    return 0
}
