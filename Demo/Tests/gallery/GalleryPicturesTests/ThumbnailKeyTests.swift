import GalleryFiles
import ImageLoading
import Testing

@testable import GalleryPictures

@Suite struct `The key of a thumbnail` {
    @Test(arguments: ThumbnailKind.allCases)
    func `has a text that says all of it`(size: ThumbnailKind) {
        let picture = PictureKey(id: PictureID(0x0123), stamp: .max)
        let key = ThumbnailKey(picture: picture, size: size)
        #expect(key.text == "0000000000000123-ffffffffffffffff.\(size)")
    }
}
