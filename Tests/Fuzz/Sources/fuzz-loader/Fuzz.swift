internal import Programs

/// libFuzzer's entry: a random program of calls of a loader.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let live = Live()
    let program = LoaderProgram(unsafe Choices(start, count), live)
    program.run()
    program.end()
    live.check("everything was let go of")
    expect(live.operations.count == 0, "every operation was let go of")
    return 0
}

/// Ends the process unless something holds that always should.
func expect(_ isTrue: Bool, _ law: @autoclosure () -> String) {
    guard !isTrue else { return }
    fatalError(law())
}
