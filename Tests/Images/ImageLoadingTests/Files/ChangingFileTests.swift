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

    /// A file of each kind, and such as have more to read before their pixels, each with its name for
    /// who reads a failure.
    private static let contents: [(name: String, bytes: [UInt8])] = {
        let (sample, photo) = (Sample(120, 80), Photo(seed: 1, width: 200, height: 150).sample)
        let notes = EXIFSample(orientation: 6, thumbnail: Sample(60, 40).jpeg()).bytes
        let comment = [UInt8]([0x21, 0xFE, 200] + [UInt8](repeating: 1, count: 200) + [0])
        let noted = [Kind.baseline, .rgb, .lossyWebP].compactMap { kind in
            kind.encoded(sample).withNotes(notes, of: sample.size).map {
                ("\(kind) with notes", $0)
            }
        }
        return Kind.allCases.map { ("\($0)", $0.encoded(sample)) } + noted + [
            ("notes behind", sample.rgbPNG().pngWithEXIF(notes, behindPixels: true)),
            ("long GIF", Hostile.gif(extensions: [[UInt8]](repeating: comment, count: 50))),
            ("large JPEG", Photo(seed: 1, width: 400, height: 300).sample.jpeg()),
            ("large PNG", Sample(200, 150).png(photo.values, type: 2)),
            ("short WebP", Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEB".utf8)),
            ("short PNG", Array(Hostile.signature.prefix(7))),
            ("short GIF", Array("GIF89".utf8)), ("short JPEG", [0xFF, 0xD8]),
        ]
    }()

    private static let targetSize = PixelSize(width: 50, height: 50)

    @Test(arguments: Change.allCases)
    func `is named in the error of a decoder`(change: Change) {
        forEachRead(change) { path in
            _ = try PictureJob(.file(path), fitting: Self.targetSize).decode()
        }
    }

    @Test(arguments: Change.allCases)
    func `is named in the error of who reads a header`(change: Change) {
        forEachRead(change) { path in _ = try PictureHeader.read(.file(path)) }
    }

    @Test func `is read to its end if it only loses its name, or if that is another's`() throws {
        let bytes = Sample(120, 80).jpeg()
        let whole = try PictureJob(.bytes(bytes), named: "", fitting: Self.targetSize).decode()
        for isOpened in [false, true] {
            let (file, other) = (TemporaryFile(bytes), TemporaryFile(Sample(31, 17).jpeg()))
            let opened = OpenedFile(owning: unsafe open(file.path, O_RDONLY | O_CLOEXEC))
            let decoder =
                isOpened
                ? PictureJob(.opened { opened }, named: "a", fitting: Self.targetSize)
                : PictureJob(.file(file.path), fitting: Self.targetSize)
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
            let decoder = PictureJob(.opened { opened }, named: file.path, fitting: Self.targetSize)
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
                let decoder = PictureJob(.file(file.path), fitting: Self.targetSize)
                _ = try decoder.step()
                file.write(bytes)
                let error = #expect(throws: PictureError.self) { try decoder.decode() }
                #expect(error?.reason == .changedWhileRead, "\(kind), \(count)")
            }
        }
    }

    /// Does something with each content while it changes at its first read, at the second, and so
    /// on, until that has fewer reads; the error must say so each time.
    private func forEachRead(_ change: Change, _ body: (String) throws -> Void) {
        var changes = 0
        for (name, bytes) in Self.contents {
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
