import ImageLoading
import Testing

@Suite struct `A picture of any kind` {
    /// Expects values that differ by no more than is said; everywhere if that is nothing.
    private func expect(
        _ found: Picture, is wanted: Picture, within tolerance: Int, _ place: String = ""
    ) {
        guard tolerance > 0 else {
            #expect(found == wanted, "\(place)")
            return
        }
        #expect(found.size == wanted.size)
        for (found, wanted) in zip(found.quarters, wanted.quarters) {
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= tolerance }, "\(place)")
        }
    }

    @Test(arguments: Kind.allCases)
    func `has the colours that were stored, under their alpha`(kind: Kind) throws {
        let sample = Sample(97, 61)
        let picture = try decode(kind.encoded(sample))
        let wanted = kind == .grey ? sample.greyPicture : sample.picture(hasAlpha: kind.hasAlpha)
        expect(picture, is: wanted, within: kind.tolerance)
    }

    @Test(arguments: Kind.allCases)
    func `shrinks to the averages of areas`(kind: Kind) throws {
        let sample = Sample(100, 76)
        let bytes = kind.encoded(sample)
        let whole = try decode(bytes)
        // A JPEG is scaled by eighths while it is decoded.
        for side in [300, 100, 88, 75, 64, 50, 38, 25, 17, 12, 1] {
            let targetSize = PixelSize(width: side, height: side)
            let small = try decode(bytes, fitting: targetSize)
            #expect(small.size == sample.size.fitted(in: targetSize))
            let wanted = whole.boxFiltered(to: small.size)
            // Of a few pixels, each is of several quarters.
            let tolerance = kind.tolerance == 0 ? 0 : side > 8 ? 4 : 255
            expect(small, is: wanted, within: tolerance, "\(side)")
        }
    }

    @Test(arguments: Kind.allCases)
    func `has a header that says what is in it`(kind: Kind) throws {
        let sample = Sample(40, 30)
        let file = TemporaryFile(kind.encoded(sample))
        let header = PictureHeader(
            format: kind.layout.format, size: sample.size, fileBytes: kind.encoded(sample).count,
            channels: kind.layout.channels, bytesPerSample: kind.layout.bytes)
        #expect(try PictureHeader.read(.file(file.path)) == header)
        #expect(file.openDescriptors == 0)
    }
}
