internal import Fuzzing

/// libFuzzer's entry: anything that begins as a JPEG does.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let trial = unsafe Trial(start, count)
    guard trial.begins(with: [0xFF, 0xD8, 0xFF]) else { return -1 }
    trial.run()
    return 0
}
