import CPictureEncoders
import Glibc
import ImageLoading
import IsolatedDecoding
import Testing

@Suite struct `A picture decoded in a helper` {
    static let kinds: [(String, [UInt8])] = [
        ("JPEG", Sample.jpeg(301, 207)), ("progressive", Sample.jpeg(90, 64, progressive: true)),
        ("PNG", Sample.png(120, 77)), ("interlaced", Sample.png(33, 44, interlaced: true)),
        ("one pixel", Sample.png(1, 1)),
    ]

    @Test func `is the same as decoded here`() throws {
        let bench = try Bench()
        for (kind, bytes) in Self.kinds {
            for side in [1, 8, 100, 1000] {
                let targetSize = PixelSize(width: side, height: side)
                let outcome = try bench.outcome(of: bytes, fitting: targetSize)
                #expect(outcome == here(bytes, fitting: targetSize), "\(kind) \(side)")
                #expect(outcome.isSuccess)
            }
        }
        #expect(bench.decoder.statistics.started == 1)
        #expect(bench.decoder.statistics.pictures == 4 * Self.kinds.count)
        #expect(bench.decoder.statistics.cpu > .zero)
    }

    @Test func `is the same where the kernel of the helper is Linux 5.0`() throws {
        let folder = try TemporaryFolder()
        let program = try folder.fake("real-on-old-kernel")
        let bench = try Bench { $0.program = program }
        for (kind, bytes) in Self.kinds {
            let outcome = try bench.outcome(of: bytes)
            #expect(outcome == here(bytes) && outcome.isSuccess, "\(kind)")
        }
    }

    @Test(arguments: [TestProfile.displayP3, .table])
    func `may have a profile, though it is the first`(kind: TestProfile) throws {
        let bench = try Bench()
        let bytes = Sample.jpeg(50, 40, kind)
        let outcome = try bench.outcome(of: bytes)
        #expect(outcome.isSuccess && outcome == here(bytes))
        #expect(try outcome != bench.outcome(of: Sample.jpeg(50, 40)))
        #expect(bench.decoder.statistics.started == 1)
    }

    @Test func `may come from a file`() throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let bytes = Sample.jpeg(64, 48)
        let path = try folder.file("a.jpg", bytes)
        #expect(try bench.outcome(ofFile: path) == here(bytes))
    }

    @Test func `is marked as damaged as it is here`() throws {
        let bench = try Bench()
        var wrong = Sample.png(60, 50)
        wrong[wrong.count - 15] ^= 1
        for bytes in [Array(Sample.jpeg(64, 96).dropLast(200)), wrong] {
            let outcome = try bench.outcome(of: bytes)
            #expect(outcome == here(bytes))
            #expect(try outcome.get().isDamaged)
        }
    }

    @Test func `fails as it does here`() throws {
        let bench = try Bench()
        let jpeg = Sample.jpeg(64, 48)
        let strict = PictureLimits(fileBytes: 1 << 20, pixels: 1000, decoderMemory: 100, scans: 5)
        let hostile: [([UInt8], PictureLimits)] = [
            ([], PictureLimits()), (Array("<html>\u{1B}[2J é".utf8), PictureLimits()),
            ([0, 1, 2], PictureLimits()), (Array(jpeg.prefix(9)), PictureLimits()),
            (jpeg, strict),
            (Sample.jpeg(30, 20, progressive: true), strict),
            (Sample.png(20, 20, interlaced: true), strict),
            (Sample.claiming(65_500, 65_500, jpeg), PictureLimits()),
            (jpeg, PictureLimits(fileBytes: 10)),
        ]
        for (bytes, limits) in hostile {
            let outcome = try bench.outcome(of: bytes, limits: limits)
            #expect(outcome == here(bytes, limits: limits))
            #expect(!outcome.isSuccess)
            #expect(outcome.error?.isTransient == false)
        }
        #expect(bench.decoder.statistics.started == 1)
        #expect(bench.decoder.statistics.refused == hostile.count)
    }

    @Test func `fails for every way to cut it short, and never ends the helper`() throws {
        let bench = try Bench()
        let bytes = Sample.jpeg(16, 16)
        var different: [Int] = []
        for count in 0..<bytes.count {
            let part = Array(bytes.prefix(count))
            if try bench.outcome(of: part) != here(part) { different.append(count) }
        }
        #expect(different.isEmpty)
        #expect(bench.decoder.statistics.started == 1)
    }

    @Test func `fails if there is no such file, or it's no file`() throws {
        let bench = try Bench()
        let cases: [(String, PictureError.Reason)] = [
            ("/nowhere/a.jpg", .cannotOpen(errno: ENOENT)), ("a\0b", .cannotOpen(errno: EINVAL)),
            ("/", .notARegularFile), ("/dev/zero", .notARegularFile),
        ]
        for (path, reason) in cases {
            let outcome = try bench.outcome(ofFile: path)
            #expect(outcome.error == .picture(PictureError(file: path, reason: reason)))
        }
    }

    @Test func `is given up when it takes too long, and costs only itself`() throws {
        let bench = try Bench()
        let limits = PictureLimits(time: .nanoseconds(1))
        for _ in 0..<2 {
            let outcome = try bench.outcome(of: Sample.jpeg(64, 48), limits: limits)
            #expect(outcome.error?.timeLimit == .nanoseconds(1))
        }
        #expect(bench.decoder.statistics.started == 1)
        #expect(bench.decoder.statistics.refused == 2)
    }
}
