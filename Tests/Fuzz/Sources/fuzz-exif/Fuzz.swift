internal import Fuzzing

/// libFuzzer's entry: anything, as the EXIF of a small JPEG.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe Trial(start, count).asExif(in: SmallJPEG.bytes).run()
    return 0
}
