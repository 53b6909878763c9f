internal import CPrograms

/// libFuzzer's entry: a random program in C.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe run_program(start, count)
    return 0
}
