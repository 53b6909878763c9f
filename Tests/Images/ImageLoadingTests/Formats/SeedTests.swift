import ImageLoading
import Testing

/// What the fuzzers begin with: `swift test --filter SeedTests --attachments-path FOLDER` writes the
/// files that stand in Tests/Fuzz/corpus, one folder for each kind.
@Suite struct `A seed of the fuzzers` {
    @Test(arguments: Kind.allCases)
    func `is small and a right picture`(kind: Kind) throws {
        let bytes = kind.encoded(Sample(24, 17))
        #expect(bytes.count < 4096)
        let picture = try decode(bytes)
        #expect(picture.size == PixelSize(width: 24, height: 17))
        Attachment.record(bytes, named: "\(kind).seed")
    }
}
