import Glibc
import ImageLoading
import Testing

@Suite struct `A file that changes while it is decoded` {
    let targetSize = PixelSize(width: 100, height: 100)

    /// What somebody does to a file.
    enum Change: CaseIterable {
        case shortened, emptied, lengthened, rewritten, touched, replaced

        func apply(to file: TemporaryFile) {
            switch self {
            case .shortened: #expect(unsafe truncate(file.path, 500) == 0)
            case .emptied: #expect(unsafe truncate(file.path, 0) == 0)
            case .lengthened: #expect(unsafe truncate(file.path, 1 << 20) == 0)
            case .rewritten: file.write(Sample(90, 90).rgbPNG())
            case .touched:
                let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
                #expect(unsafe utimensat(AT_FDCWD, file.path, times, 0) == 0)
            case .replaced:
                let other = TemporaryFile(Sample(90, 90).jpeg())
                #expect(unsafe rename(other.path, file.path) == 0)
            }
        }
    }

    @Test(arguments: Change.allCases, [Kind.baseline, .progressive, .rgb])
    func `gives an error that says so, after any step`(change: Change, kind: Kind) throws {
        let bytes = kind.encoded(Sample(120, 80))
        var before = 0
        var isDone = false
        while !isDone {
            before += 1
            let file = TemporaryFile(bytes)
            let decoder = PictureJob(path: file.path, fitting: targetSize)
            for _ in 0..<before where !isDone {
                if case .done = try decoder.step() { isDone = true }
            }
            if isDone { break }
            change.apply(to: file)
            expect(#expect(throws: PictureError.self) { try decoder.decode() }, tells: change)
            #expect(file.openDescriptors == 0)
            before += before / 3
        }
        #expect(before > 5)
    }

    @Test func `is read to its end if it only loses its name`() throws {
        let file = TemporaryFile(Sample(300, 200).jpeg())
        let whole = try PictureJob(path: file.path, fitting: targetSize).decode()
        let decoder = PictureJob(path: file.path, fitting: targetSize)
        _ = try decoder.step()
        #expect(unsafe unlink(file.path) == 0)
        #expect(try decoder.decode() == whole)
    }

    @Test func `is noticed in a file that was open, too, unless only its name is another's`() throws
    {
        let bytes = Sample(300, 200).jpeg()
        for change in Change.allCases {
            let file = TemporaryFile(bytes)
            let opened = OpenedFile(owning: unsafe open(file.path, O_RDONLY | O_CLOEXEC))
            let decoder = PictureJob(opened: opened, named: "a", fitting: targetSize)
            _ = try decoder.step()
            change.apply(to: file)
            if case .replaced = change {
                #expect(try decoder.decode().size == PixelSize(width: 100, height: 67))
            } else {
                expect(#expect(throws: PictureError.self) { try decoder.decode() }, tells: change)
            }
        }
    }

    /// Expects an error that says that the file changed, or for one that became shorter, that too.
    private func expect(_ error: PictureError?, tells change: Change) {
        switch (error?.reason, change) {
        case (.changedWhileRead, _): break
        case (.truncated(let rows, let all), .shortened), (.truncated(let rows, let all), .emptied):
            #expect(rows < max(1, all))
        default: Issue.record("\(change): \(String(describing: error))")
        }
    }
}
