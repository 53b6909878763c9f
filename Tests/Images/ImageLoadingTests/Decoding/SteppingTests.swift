import ImageLoading
import Testing

@Suite struct `A decoder that is stepped` {
    let targetSize = PixelSize(width: 100, height: 100)

    @Test(arguments: Kind.allCases)
    func `gives what decoding in one go gives`(kind: Kind) throws {
        let file = TemporaryFile(kind.encoded(Sample(300, 200)))
        let whole = try PictureJob(path: file.path, fitting: targetSize).decode()
        let decoder = PictureJob(path: file.path, fitting: targetSize)
        var steps = 0
        var picture: Picture?
        while picture == nil {
            steps += 1
            if case .done(let result) = try decoder.step() { picture = result }
        }
        #expect(picture == whole)
        #expect(steps > 8)
    }

    @Test(arguments: Kind.allCases)
    func `can be dropped after any step, and leaves no file open`(kind: Kind) throws {
        let file = TemporaryFile(kind.encoded(Sample(80, 60)))
        var stepsBefore = 0
        var isDone = false
        while !isDone {
            stepsBefore += 1
            let decoder = PictureJob(path: file.path, fitting: targetSize)
            for _ in 0..<stepsBefore {
                if case .done = try decoder.step() { isDone = true }
            }
        }
        #expect(file.openDescriptors == 0)
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

    @Test func `turns a large picture in steps, with the file closed`() throws {
        let sample = Sample(500, 400)
        let notes = EXIFSample(orientation: 6).bytes
        let file = TemporaryFile(sample.jpeg().jpegWithEXIF(notes))
        let decoder = PictureJob(path: file.path, fitting: .ample)
        var stepsWithoutFile = 0
        var picture: Picture?
        _ = try decoder.step()
        while picture == nil {
            if file.openDescriptors == 0 { stepsWithoutFile += 1 }
            if case .done(let result) = try decoder.step() { picture = result }
        }
        // 200,000 pixels by 8192; the first of these steps was the decoder's last.
        #expect(stepsWithoutFile == 24)
        #expect(try picture == decode(sample.jpeg()).upright(from: .quarterTurn))
    }

    @Test func `can be dropped while it uses a thumbnail, or turns`() throws {
        let thumbnail = Sample(80, 60).jpeg()
        let notes = EXIFSample(orientation: 6, thumbnail: thumbnail).bytes
        let file = TemporaryFile(Sample(160, 120).jpeg().jpegWithEXIF(notes))
        for targetSize in [PixelSize(width: 80, height: 80), .ample] {
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
