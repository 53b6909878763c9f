import ImageLoading
import TestSupport
import Testing

@Suite struct `A first picture` {
    private let targetSize = PixelSize(width: 32, height: 32)

    /// All pictures that steps give, with the step at which each came.
    private func pictures(
        _ bytes: [UInt8], fitting targetSize: PixelSize
    ) throws -> (refined: [(step: Int, picture: Picture)], done: Picture, steps: Int) {
        let decoder = PictureJob(.bytes(bytes), named: "picture", fitting: targetSize)
        var refined: [(step: Int, picture: Picture)] = []
        for step in 1... {
            switch try decoder.step() {
            case .more, .waiting: break
            case .refined(let picture): refined.append((step, picture))
            case .done(let picture): return (refined, picture, step)
            }
        }
        preconditionFailure("steps come to an end")
    }

    @Test func `of a progressive JPEG comes early, once, and is nearly right`() throws {
        let sample = Photo(seed: 1, width: 320, height: 240).sample
        let bytes = sample.jpeg(progressive: true)
        let (refined, done, steps) = try pictures(bytes, fitting: targetSize)
        #expect(refined.count == 1)
        let preview = try #require(refined.first)
        #expect(preview.step < steps / 2)
        #expect(preview.picture.size == done.size)
        #expect(preview.picture != done)
        #expect(preview.picture.ratio(to: done) > 28)
    }

    @Test(arguments: [32, 75])
    func `changes nothing of the final one`(side: Int) throws {
        let sample = Photo(seed: 2, width: 320, height: 240).sample
        let targetSize = PixelSize(width: side, height: side)
        let progressive = try pictures(sample.jpeg(progressive: true), fitting: targetSize)
        let baseline = try pictures(sample.jpeg(), fitting: targetSize)
        #expect(progressive.refined.count == 1)
        #expect(baseline.refined.isEmpty)
        #expect(progressive.done == baseline.done)
    }

    @Test func `is not given where it would cost much`() throws {
        let bytes = Sample(100, 75).jpeg(progressive: true)
        #expect(try pictures(bytes, fitting: targetSize).refined.isEmpty)
    }

    @Test func `is followed by what there is if the rest is lost`() throws {
        let bytes = Photo(seed: 3, width: 320, height: 240).sample.jpeg(progressive: true)
        let decoder = PictureJob(
            .bytes(Array(bytes[..<(bytes.count / 2)])), named: "picture", fitting: targetSize)
        var previews = 0
        var picture: Picture?
        while picture == nil {
            switch try decoder.step() {
            case .refined: previews += 1
            case .done(let result): picture = result
            case .more, .waiting: break
            }
        }
        #expect(previews == 1)
        #expect(picture?.damage == .truncated(rowsDecoded: 0, of: 240))
    }
}
