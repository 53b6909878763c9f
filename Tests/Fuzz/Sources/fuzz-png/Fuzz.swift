internal import Fuzzing

/// libFuzzer's entry: anything that begins as a PNG does.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let trial = unsafe Trial(start, count)
    guard trial.begins(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return -1 }
    trial.run()
    return 0
}
