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

    /// The first has a profile, for which more is opened than for others.
    @Test(arguments: [TestProfile.displayP3, .table])
    func `is the same as decoded here, or fails as it does here`(profile: TestProfile) throws {
        let bench = try Bench()
        let jpeg = Sample.jpeg(64, 48)
        var wrong = Sample.png(60, 50)
        wrong[wrong.count - 15] ^= 1
        let shown =
            [Sample.jpeg(50, 40, profile), Sample.jpeg(50, 40)] + Self.kinds.map(\.1)
            + [Array(Sample.jpeg(64, 96).dropLast(200)), wrong]
        for (index, bytes) in shown.enumerated() {
            for side in [1, 8, 1000] {
                let targetSize = PixelSize(width: side, height: side)
                let outcome = try bench.outcome(of: bytes, fitting: targetSize)
                #expect(outcome == here(bytes, fitting: targetSize), "\(index) \(side)")
                #expect(try outcome.get().isDamaged == (index >= shown.count - 2))
            }
        }
        let pictures = bench.decoder.statistics.pictures
        #expect(pictures == 3 * shown.count && bench.decoder.statistics.cpu > .zero)
        let strict = PictureLimits(fileBytes: 1 << 20, pixels: 1000, decoderMemory: 100, scans: 5)
        let hostile: [([UInt8], PictureLimits)] =
            [
                (Array("<html>\u{1B}[2J é".utf8), PictureLimits()), (jpeg, strict),
                (Sample.jpeg(30, 20, progressive: true), strict),
                (Sample.png(20, 20, interlaced: true), strict),
                (Sample.claiming(65_500, 65_500, jpeg), PictureLimits()),
                (jpeg, PictureLimits(fileBytes: 10)),
            ] + (0..<300).map { (Array(jpeg.prefix($0)), PictureLimits()) }
        for (index, (bytes, limits)) in hostile.enumerated() {
            let outcome = try bench.outcome(of: bytes, limits: limits)
            #expect(outcome == here(bytes, limits: limits), "\(index)")
            #expect(outcome.error?.isTransient == false, "\(index)")
        }
        #expect(bench.decoder.statistics.started == 1)
        #expect(bench.decoder.statistics.refused == hostile.count)
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

    @Test func `may come from a file, and fails if that isn't there, or is none`() throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let path = try folder.file("a.jpg", Sample.jpeg(64, 48))
        #expect(try bench.outcome(ofFile: path) == here(Sample.jpeg(64, 48)))
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
