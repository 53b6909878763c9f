/// libFuzzer's entry: anything, as what the disk has of a response.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let trial = CacheTrial(bytes) else { return -1 }
    trial.run()
    return 0
}
