import Glibc
import TestSupport
import Testing

@testable import ImageLoading

/// What readers find when a file changes right before one of their reads, each read in its turn.
@Suite struct `A file that changes between two reads` {
    /// What somebody does to a file, told where it is, so that it can be done inside a read.
    enum Change: String, CaseIterable {
        case emptied, cut, halved, lengthened, overwritten, touched, replaced, removedAndReplaced

        func apply(to path: String, other: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return }
            switch self {
            case .emptied: unsafe truncate(path, 0)
            case .cut: unsafe truncate(path, status.st_size - 1)
            case .halved: unsafe truncate(path, status.st_size / 2)
            case .lengthened: unsafe truncate(path, status.st_size + (1 << 20))
            case .overwritten: Self.overwrite(path, count: status.st_size)
            case .touched:
                let times = [timespec(tv_sec: 2, tv_nsec: 0), timespec(tv_sec: 2, tv_nsec: 0)]
                unsafe utimensat(AT_FDCWD, path, times, 0)
            case .replaced: unsafe rename(other, path)
            case .removedAndReplaced:
                unsafe unlink(path)
                unsafe link(other, path)
            }
        }

        /// Has the file hold other bytes, as many.
        private static func overwrite(_ path: String, count: Int) {
            let number = unsafe open(path, O_WRONLY | O_CLOEXEC)
            let bytes = [UInt8](repeating: 0xA5, count: count)
            _ = unsafe pwrite(number, bytes, count, 0)
            close(number)
        }
    }

    /// A file of each kind, and such as have more to read before their pixels.
    enum Content: CaseIterable {
        case kinds
        case jpegWithNotes, pngWithNotes, pngWithNotesBehind, webPWithNotes, longGIF
        case largeJPEG, largePNG, short

        /// Each with its name for who reads a failure.
        static let all: [(name: String, bytes: [UInt8])] = allCases.flatMap(\.files)

        private var files: [(String, [UInt8])] {
            let sample = Sample(120, 80)
            let notes = EXIFSample(orientation: 6, thumbnail: Sample(60, 40).jpeg()).bytes
            switch self {
            case .kinds: return Kind.allCases.map { ("\($0)", $0.encoded(sample)) }
            case .jpegWithNotes: return [("\(self)", sample.jpeg().jpegWithEXIF(notes))]
            case .pngWithNotes: return [("\(self)", sample.rgbPNG().pngWithEXIF(notes))]
            case .pngWithNotesBehind:
                return [("\(self)", sample.rgbPNG().pngWithEXIF(notes, behindPixels: true))]
            case .webPWithNotes:
                let chunks =
                    webPCanvas(sample.size, flags: 8) + webPImageData(sample.webp())
                    + webPChunk("EXIF", notes)
                return [("\(self)", webPFile(chunks))]
            case .longGIF:
                let comment = [UInt8]([0x21, 0xFE, 200] + [UInt8](repeating: 1, count: 200) + [0])
                return [
                    (
                        "\(self)",
                        Hostile.gif(extensions: [[UInt8]](repeating: comment, count: 50))
                    )
                ]
            case .largeJPEG:
                return [("\(self)", Photo(seed: 1, width: 400, height: 300).sample.jpeg())]
            case .largePNG:
                let photo = Photo(seed: 1, width: 200, height: 150).sample
                return [("\(self)", Sample(200, 150).png(photo.values, type: 2))]
            case .short:
                return [
                    ("short WebP", Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEB".utf8)),
                    ("short PNG", Array(Hostile.signature.prefix(7))),
                    ("short GIF", Array("GIF89".utf8)), ("short JPEG", [0xFF, 0xD8]),
                ]
            }
        }
    }

    private static let targetSize = PixelSize(width: 50, height: 50)

    @Test(arguments: Change.allCases)
    func `is named in the error of a decoder`(change: Change) {
        forEachRead(change) { path in
            _ = try PictureJob(path: path, fitting: Self.targetSize).decode()
        }
    }

    @Test(arguments: Change.allCases)
    func `is named in the error of who reads a header`(change: Change) {
        forEachRead(change) { path in _ = try PictureHeader.read(path) }
    }

    @Test func `is read to its end if it only loses its name, or if that is another's`() throws {
        let bytes = Sample(120, 80).jpeg()
        let whole = try PictureJob(bytes: bytes, named: "", fitting: Self.targetSize).decode()
        for isOpened in [false, true] {
            let (file, other) = (TemporaryFile(bytes), TemporaryFile(Sample(31, 17).jpeg()))
            let opened = OpenedFile(owning: unsafe open(file.path, O_RDONLY | O_CLOEXEC))
            let decoder =
                isOpened
                ? PictureJob(opened: opened, named: "a", fitting: Self.targetSize)
                : PictureJob(path: file.path, fitting: Self.targetSize)
            _ = try decoder.step()
            // Who has opened the file himself wants that file, whatever is in its place now.
            if isOpened { Change.replaced.apply(to: file.path, other: other.path) }
            if !isOpened { unsafe unlink(file.path) }
            #expect(try decoder.decode() == whole)
        }
    }

    @Test func `is noticed in a file that was open, too`() throws {
        let bytes = Sample(120, 80).jpeg()
        for change in [Change.emptied, .cut, .halved, .lengthened, .overwritten, .touched] {
            let file = TemporaryFile(bytes)
            let opened = OpenedFile(owning: unsafe open(file.path, O_RDONLY | O_CLOEXEC))
            let decoder = PictureJob(opened: opened, named: file.path, fitting: Self.targetSize)
            _ = try decoder.step()
            change.apply(to: file.path, other: file.path)
            check(
                #expect(throws: PictureError.self) { try decoder.decode() }, of: file.path, change,
                "open")
        }
    }

    @Test func `grows to a picture where none was, and is told as changed`() throws {
        // Shorter than the signature when it's opened, and a whole picture at the first read.
        for kind in [Kind.baseline, .rgb, .lossyWebP, .gif] {
            let bytes = kind.encoded(Sample(30, 20))
            for count in 1..<16 {
                let file = TemporaryFile(Array(bytes.prefix(count)))
                let decoder = PictureJob(path: file.path, fitting: Self.targetSize)
                _ = try decoder.step()
                file.write(bytes)
                let error = #expect(throws: PictureError.self) { try decoder.decode() }
                #expect(error?.reason == .changedWhileRead, "\(kind), \(count)")
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `that is a thumbnail on disk is taken for none, or found to be damaged`(
        change: Change
    ) throws {
        var number = 0
        var isReached = true
        while isReached {
            number += 1
            let folder = CacheFolder()
            let cache = folder.cache()
            let file = folder.write("a.png", Sample(300, 200).rgbPNG())
            try cache.store(
                .noise(128, 85), of: file, original: PixelSize(width: 300, height: 200))
            let entry = try "\(folder.root)/\(#require(folder.entries.first))"
            let other = folder.write("other", Sample(9, 9).rgbPNG())
            let reads = Reads { [number] count in
                if count == number { change.apply(to: entry, other: other) }
            }
            reads.watch {
                guard case .file(let path) = cache.find(file, 128) else { return }
                #expect(path == entry)
                do throws(PictureError) {
                    let picture = try PictureJob(path: path, fitting: Self.targetSize).decode()
                    // Changed between the look and the decoder, it may be whole again.
                    #expect(picture.size.width <= Self.targetSize.width)
                } catch {
                    #expect(error.file == path)
                }
            }
            isReached = reads.all.count >= number
        }
        #expect(number > 3)
    }

    /// Does something with each content while it changes at its first read, at the second, and so
    /// on, until that has fewer reads; the error must say so each time.
    private func forEachRead(_ change: Change, _ body: (String) throws -> Void) {
        var changes = 0
        for (name, bytes) in Content.all {
            var number = 0
            var isReached = true
            while isReached {
                number += 1
                let file = TemporaryFile(bytes)
                let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
                #expect(unsafe utimensat(AT_FDCWD, file.path, times, 0) == 0)
                let other = TemporaryFile(Sample(31, 17).jpeg())
                let paths = (file.path, other.path)
                let reads = Reads { [number] count in
                    if count == number { change.apply(to: paths.0, other: paths.1) }
                }
                var error: PictureError?
                reads.watch {
                    do { try body(file.path) } catch let found { error = found as? PictureError }
                }
                isReached = reads.all.count >= number
                #expect(file.openDescriptors == 0)
                guard isReached else { break }
                changes += 1
                check(error, of: file.path, change, "\(name), read \(number)")
            }
        }
        #expect(changes > 60)
    }

    private func check(_ error: PictureError?, of path: String, _ change: Change, _ place: String) {
        #expect(error?.file == path)
        switch (error?.reason, change) {
        case (.changedWhileRead, _): break
        case (.truncated, .emptied), (.truncated, .cut), (.truncated, .halved): break
        default: Issue.record("\(change), \(place): \(String(describing: error))")
        }
    }
}
