// What the example of an article waits for.
@concurrent func countFiles() async -> Int { 24 }
