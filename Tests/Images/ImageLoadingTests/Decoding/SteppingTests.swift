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
            let decoder = PictureJob(path: file.path, fitting: targetSize)
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
        let notes = EXIFSample(orientation: orientation.rawValue).bytes
        for sample in [Sample(150, 60), Sample(1, 9000), Sample(9000, 1)] {
            let plain = sample.rgbPNG()
            let file = TemporaryFile(plain.pngWithEXIF(notes))
            let decoder = PictureJob(path: file.path, fitting: .ample)
            var stepsWithoutFile = 0
            var picture: Picture?
            _ = try decoder.step()
            while picture == nil {
                if file.openDescriptors == 0 { stepsWithoutFile += 1 }
                if case .done(let result) = try decoder.step() { picture = result }
            }
            // Of 9000 pixels by 8192; the first of these two steps was the decoder's last.
            #expect(stepsWithoutFile == (orientation == .upright ? 0 : 1))
            let wanted = sample.picture(hasAlpha: false).upright(from: orientation)
            #expect(picture == wanted)
        }
    }

    @Test func `opens nothing before its first step, and closes the file with its last`() throws {
        let file = TemporaryFile(Sample(80, 60).jpeg())
        let decoder = PictureJob(path: file.path, fitting: targetSize)
        #expect(file.openDescriptors == 0)
        _ = try decoder.step()
        #expect(file.openDescriptors == 1)
        _ = try decoder.decode()
        #expect(file.openDescriptors == 0)
    }

    @Test func `gives the same picture again after the picture is done`() throws {
        let file = TemporaryFile(Sample(8, 8).jpeg())
        let decoder = PictureJob(path: file.path, fitting: PixelSize(width: 8, height: 8))
        let picture = try decoder.decode()
        file.write([])
        #expect(try decoder.decode() == picture)
    }

    @Test func `throws the same error again after an error`() {
        let file = TemporaryFile([1, 2, 3])
        let decoder = PictureJob(path: file.path, fitting: PixelSize(width: 8, height: 8))
        let error = #expect(throws: PictureError.self) { try decoder.decode() }
        file.write(Sample(8, 8).jpeg())
        #expect(#expect(throws: PictureError.self) { try decoder.step() } == error)
    }
}
