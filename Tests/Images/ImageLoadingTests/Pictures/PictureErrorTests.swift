import ImageLoading
import Testing

@Suite struct `The description of an image error` {
    static let reasons: [(PictureError.Reason, String)] = [
        (.cannotOpen(errno: 2), "cannot open: No such file or directory"),
        (.cannotRead(errno: 5), "cannot read: Input/output error"),
        (.notARegularFile, "not a regular file"),
        (.empty, "empty"),
        (.tooLarge(.pixels, found: 9, limit: 4), "too large: 9 pixels, the limit is 4"),
        (
            .tooLarge(.decoderMemory, found: 9, limit: 4),
            "too large: 9 bytes of decoder memory, the limit is 4"
        ),
        (
            .tooSlow(spent: .nanoseconds(9), limit: .nanoseconds(4)),
            "too large: 9 nanoseconds of processor time, the limit is 4"
        ),
        (.changedWhileRead, "changed while it was read"),
        (.unsupported("GIF"), "unsupported: GIF"),
        (.truncated(rowsDecoded: 0, of: 0), "truncated: ends before its size is known"),
        (.corrupt("bad"), "corrupt: bad"),
        (.outOfMemory, "out of memory"),
    ]

    @Test(arguments: reasons)
    func `says each reason in words`(reason: PictureError.Reason, words: String) {
        #expect("\(reason)" == words)
    }

    @Test func `is one line, whatever is in the name`() {
        let file = "a\nb\u{1B}[2J\u{7F}\u{2028}\u{202E}.jpg"
        let error = PictureError(file: file, reason: .corrupt("x\r"))
        #expect(
            "\(error)" == "a\\u{a}b\\u{1b}[2J\\u{7f}\\u{2028}\\u{202e}.jpg: corrupt: x\\u{d}")
    }
}
