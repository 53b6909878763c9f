import ImageLoading
import Testing

@Suite struct `A decoder that is stepped` {
    let targetSize = PixelSize(width: 100, height: 100)

    private static let files: [(bytes: [UInt8], targetSize: PixelSize)] = {
        let notes = EXIFSample(orientation: 6, thumbnail: Sample(80, 60).jpeg()).bytes
        let turned = Sample(160, 120).jpeg().jpegWithEXIF(notes)
        let small = PixelSize(width: 80, height: 80)
        return Kind.allCases.map { ($0.encoded(Sample(80, 60)), small) }
            + [(turned, small), (turned, .ample)]
    }()

    @Test(arguments: files.indices)
    func `can be dropped after any step, and leaves no file open`(index: Int) throws {
        let (bytes, targetSize) = Self.files[index]
        let file = TemporaryFile(bytes)
        var stepsBefore = 0
        var isDone = false
        while !isDone {
            stepsBefore += 1
            let decoder = PictureJob(.file(file.path), fitting: targetSize)
            for _ in 0..<stepsBefore {
                if case .done = try decoder.step() { isDone = true }
            }
        }
        #expect(stepsBefore > 5)
        #expect(file.openDescriptors == 0)
    }

    @Test(arguments: PictureOrientation.allCases)
    func `turns a large picture in steps, however it is shaped`(
        orientation: PictureOrientation
    ) throws {
        for sample in [Sample(150, 60), Sample(1, 9000), Sample(9000, 1)] {
            let (picture, steps) = try decoded(sample, orientation)
            // Of 9000 pixels, 8192 are turned in the step that has decoded the last of them.
            let upright = try decoded(sample, .upright).steps
            #expect(steps == upright + (orientation == .upright ? 0 : 1))
            let wanted = sample.picture(hasAlpha: false).upright(from: orientation)
            #expect(picture == wanted)
        }
    }

    private func decoded(
        _ sample: Sample, _ orientation: PictureOrientation
    ) throws -> (picture: Picture, steps: Int) {
        let notes = EXIFSample(orientation: orientation.rawValue).bytes
        let decoder = PictureJob(
            .bytes(sample.rgbPNG().pngWithEXIF(notes)), named: "a", fitting: .ample)
        var steps = 1
        while true {
            if case .done(let picture) = try decoder.step() { return (picture, steps) }
            steps += 1
        }
    }

    @Test func `gives the same picture again after the picture is done`() throws {
        let file = TemporaryFile(Sample(8, 8).jpeg())
        let decoder = PictureJob(.file(file.path), fitting: PixelSize(width: 8, height: 8))
        let picture = try decoder.decode()
        file.write([])
        #expect(try decoder.decode() == picture)
    }

    @Test func `throws the same error again after an error`() {
        let file = TemporaryFile([1, 2, 3])
        let decoder = PictureJob(.file(file.path), fitting: PixelSize(width: 8, height: 8))
        let error = #expect(throws: PictureError.self) { try decoder.decode() }
        file.write(Sample(8, 8).jpeg())
        #expect(#expect(throws: PictureError.self) { try decoder.step() } == error)
    }
}
