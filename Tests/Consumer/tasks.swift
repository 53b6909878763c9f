// What runs the example of an article: ten hours, which on virtual time take none.
func program() throws {
    let loop = try MainLoop(clock: .virtual(VirtualTime()))
    let executor = LoopExecutor()
    try loop.serve(executor)
    let words = Words(on: executor)
    index(["the quick brown fox", "the lazy dog"], into: words, on: loop)
    loop.task {
        try await loop.taskClock.sleep(for: .seconds(35_000))
        print("\(await words.known.count) words are known")
    }
    try loop.run()
}
try program()
