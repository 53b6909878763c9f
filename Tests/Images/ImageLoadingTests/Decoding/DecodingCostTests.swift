import IdleLoop
import TestSupport
import Testing

@testable import ImageLoading

private func header(
    _ format: PictureFormat, _ width: Int, _ height: Int, bytes: Int, channels: Int = 3
) -> PictureHeader {
    PictureHeader(
        format: format, size: PixelSize(width: width, height: height), fileBytes: bytes,
        channels: channels, bytesPerSample: 1)
}

struct DecodingCostTests {
    private let targetSize = PixelSize(width: 256, height: 256)

    private func place(
        of header: PictureHeader, fitting targetSize: PixelSize, isBusy: Bool
    ) -> PicturePlace {
        PicturePlaces(only: nil, hasWorkers: true, isBusy: isBusy, costs: DecodingCosts())
            .place(of: header, fitting: targetSize)
    }

    @Test func `first rates give what was measured, within a fifth`() {
        // What reference measurements took, in milliseconds.
        let measured: [(PictureHeader, Double)] = [
            (header(.jpeg, 4000, 3000, bytes: 3_300_000), 22.5),
            (header(.jpeg, 1632, 1224, bytes: 550_000), 4.4),
            (header(.progressiveJPEG, 4000, 3000, bytes: 3_000_000), 92),
            (header(.png, 1632, 1224, bytes: 4_000_000), 38.3),
            (header(.png, 1632, 1224, bytes: 27_000), 14),
            (header(.webP, 1632, 1224, bytes: 400_000), 16.3),
            (header(.losslessWebP, 1632, 1224, bytes: 2_000_000), 28.6),
            (header(.gif, 1632, 1224, bytes: 1_000_000), 14.1),
        ]
        for (header, milliseconds) in measured {
            let ratio =
                header.estimatedTime(fitting: targetSize) / .microseconds(1) / milliseconds / 1000
            #expect(ratio > 0.8 && ratio < 1.25, "\(header.format): \(ratio)")
        }
    }

    @Test func `the first picture tells how fast the machine is, later ones what a format costs`() {
        var costs = DecodingCosts()
        let photos = [PictureFormat.gif, .webP].map { header($0, 1000, 1000, bytes: 1000) }
        let usual = photos.map { $0.estimatedTime(fitting: targetSize) }
        func slowness(_ index: Int) -> Double {
            costs.estimate(photos[index], fitting: targetSize) / usual[index]
        }
        costs.learn(usual[0] * 3, of: photos[0], fitting: targetSize)
        for index in 0..<2 { #expect(abs(slowness(index) - 3) < 0.01) }
        for _ in 0..<20 {
            costs.learn(usual[0] * 3, of: photos[0], fitting: targetSize)
            costs.learn(usual[1] * 6, of: photos[1], fitting: targetSize)
            costs.learn(.zero, of: photos[0], fitting: targetSize)  // on virtual time
            costs.learn(.seconds(1), of: header(.gif, 10, 10, bytes: 100), fitting: targetSize)
            costs.learn(.seconds(1), ofFileBytes: 10_000, fitting: targetSize)
        }
        #expect(abs(slowness(0) - 3) < 0.3 && abs(slowness(1) - 6) < 0.6)
        let bound = costs.bound(photos[0], fitting: targetSize)
        #expect(bound >= costs.estimate(photos[0], fitting: targetSize))
    }

    @Test func `a worker is for what costs much while the loop is busy, and what can't be cut`() {
        func isForWorker(_ header: PictureHeader, isBusy: Bool = false) -> Bool {
            place(of: header, fitting: targetSize, isBusy: isBusy) == .worker
        }
        let photo = header(.jpeg, 4000, 3000, bytes: 3_300_000)
        #expect(!isForWorker(photo) && !isForWorker(photo, isBusy: true))
        let huge = header(.jpeg, 9000, 9000, bytes: 20_000_000)
        #expect(!isForWorker(huge) && isForWorker(huge, isBusy: true))
        #expect(isForWorker(header(.losslessWebP, 1600, 1200, bytes: 90_000)))
        #expect(!isForWorker(header(.losslessWebP, 160, 120, bytes: 9000)))
        #expect(!isForWorker(header(.webP, 1600, 1200, bytes: 90_000)))
        let passes: [(Int, PictureFormat)] = [
            (8_000_000, .progressiveJPEG), (4_000_000, .interlacedPNG), (3_000_000, .webP),
        ]
        for (most, format) in passes {
            #expect(!isForWorker(header(format, 1000, most / 1000, bytes: 1_000_000)))
            #expect(isForWorker(header(format, 1000, most / 1000 + 1, bytes: 1_000_000)))
        }
    }

    @Test func `a picture that a thumbnail stands for costs what that costs`() {
        var costs = DecodingCosts()
        let thumbnail = EmbeddedThumbnail(
            range: 100..<9000, format: .jpeg,
            size: PixelSize(width: 160, height: 120), channels: 3)
        let photo = PictureHeader(
            format: .progressiveJPEG, size: PixelSize(width: 4000, height: 3000),
            fileBytes: 3_000_000, channels: 3, bytesPerSample: 1, embeddedThumbnail: thumbnail)
        let small = PixelSize(width: 120, height: 120)
        #expect(costs.estimate(photo, fitting: small) == .microseconds(260))
        #expect(place(of: photo, fitting: small, isBusy: true) == .loop)
        #expect(place(of: photo, fitting: targetSize, isBusy: false) == .worker)
        let before = costs.estimate(photo, fitting: targetSize)
        costs.learn(.microseconds(300), of: photo, fitting: small)
        #expect(costs.estimate(photo, fitting: targetSize) == before)
    }

    @Test func `no header is too large for an estimate`() {
        var costs = DecodingCosts()
        let most = header(.gif, 1 << 31, 1 << 31, bytes: .max / 4)
        #expect(costs.bound(most, fitting: targetSize) > .seconds(1000))
        let bytes = header(.progressiveJPEG, 65_535, 65_535, bytes: .max)
        #expect(costs.bound(bytes, fitting: targetSize) > .seconds(1000))
        costs.learn(.seconds(1 << 33), ofFileBytes: 20_000, fitting: targetSize)
        #expect(costs.estimate(fileBytes: .max, fitting: targetSize) > .seconds(1000))
    }
}
