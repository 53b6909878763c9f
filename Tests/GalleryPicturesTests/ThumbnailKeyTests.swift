import GalleryFiles
import ImageLoading
import Testing

@testable import GalleryPictures

@Suite struct `The key of a thumbnail` {
    @Test(arguments: ThumbnailKind.allCases)
    func `is what its text says`(size: ThumbnailKind) {
        let picture = PictureKey(id: PictureID(0x0123), stamp: .max)
        let key = ThumbnailKey(picture: picture, size: size)
        #expect(key.text == "0000000000000123-ffffffffffffffff.\(size)")
        #expect(ThumbnailKey(text: key.text) == key)
    }

    @Test(arguments: [
        "", ".", "0000000000000123-ffffffffffffffff", "0000000000000123-ffffffffffffffff.",
        "0000000000000123-ffffffffffffffff.Row", "0000000000000123-ffffffffffffffff.row.row",
        "0000000000000123-fffffffffffffffG.row", ".lull-1.tmp",
        "../0000000000000123-ffffffffffffffff.row",
    ])
    func `is no other text`(text: String) {
        #expect(ThumbnailKey(text: text) == nil)
    }
}
