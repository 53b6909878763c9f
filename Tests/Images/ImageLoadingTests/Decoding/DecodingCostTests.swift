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

    @Test func `first rates give what was measured, within a fifth`() {
        let costs = DecodingCosts()
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
                costs.estimate(header, fitting: targetSize) / .microseconds(1) / milliseconds / 1000
            #expect(ratio > 0.8 && ratio < 1.25, "\(header.format): \(ratio)")
        }
    }

    @Test(arguments: seeds(0..<10))
    func `a kind's rate is three parts old and one part new`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var costs = DecodingCosts()
        var (mean, deviation) = (8.5, 8.5 / 4)
        var mistakes = 0
        for _ in 0..<100 {
            let side = Int.random(in: 200...2000, using: &random)
            let picture = header(.webP, side, side, bytes: 1000)
            let cost = Duration.nanoseconds(
                60_000 + Int.random(in: 5...30, using: &random) * side * side)
            // Those too small teach nothing.
            if Double(side * side) * mean >= 60_000 {
                let rate = (cost / .nanoseconds(1) - 60_000) / Double(side * side)
                deviation = 0.75 * deviation + 0.25 * abs(rate - mean)
                mean = 0.75 * mean + 0.25 * rate
            }
            costs.learn(picture, fitting: targetSize, cost: cost)
            let pixels = Double(side * side)
            let estimate = costs.estimate(picture, fitting: targetSize) / .nanoseconds(1)
            let bound = costs.bound(picture, fitting: targetSize) / .nanoseconds(1)
            if abs(estimate - 60_000 - mean * pixels) > 2 { mistakes += 1 }
            if abs(bound - 60_000 - (mean + deviation) * pixels) > 2 { mistakes += 1 }
        }
        #expect(mistakes == 0)
        // Other kinds learn nothing of it.
        let photo = header(.jpeg, 4000, 3000, bytes: 3_300_000)
        let fresh = DecodingCosts().estimate(photo, fitting: targetSize)
        #expect(costs.estimate(photo, fitting: targetSize) == fresh)
    }

    @Test func `calibration scales all rates, once`() {
        var costs = DecodingCosts()
        let photo = header(.gif, 1000, 1000, bytes: 1000)
        let before = costs.estimate(photo, fitting: targetSize) / .nanoseconds(1)
        for _ in 0..<2 { costs.calibrate(took: CalibrationPicture.usualTime * 3) }
        #expect(abs(costs.slowness - 3) < 1e-9)
        #expect(
            abs(costs.estimate(photo, fitting: targetSize) / .nanoseconds(1) / before - 3) < 0.001)
        costs.calibrate(took: .seconds(100))
        #expect(costs.slowness == 64)
        costs.calibrate(took: .zero)
        #expect(costs.slowness == 64)
        costs.calibrate(.virtual(VirtualTime()))
        #expect(costs.slowness == 64)
        let picture = CalibrationPicture.shared
        #expect(picture.decodingTime(.monotonic) ?? .zero > .zero)
        #expect(picture.decodingTime(.virtual(VirtualTime())) == nil)
    }

    @Test func `the placement is found by cost, and by what can't be cut`() {
        let costs = DecodingCosts()
        func placement(_ header: PictureHeader, isBusy: Bool = false) -> DecodingPlacement {
            costs.placement(for: header, fitting: targetSize, isBusy: isBusy)
        }
        #expect(placement(header(.jpeg, 640, 480, bytes: 80_000)) == .atOnce)
        let photo = header(.jpeg, 4000, 3000, bytes: 3_300_000)
        #expect(placement(photo) == .sliced)
        #expect(placement(photo, isBusy: true) == .sliced)
        let huge = header(.jpeg, 9000, 9000, bytes: 20_000_000)
        #expect(placement(huge) == .sliced)
        #expect(placement(huge, isBusy: true) == .worker)
        #expect(placement(header(.losslessWebP, 1600, 1200, bytes: 90_000)) == .worker)
        #expect(placement(header(.losslessWebP, 160, 120, bytes: 9000)) == .atOnce)
        #expect(placement(header(.webP, 1600, 1200, bytes: 90_000)) == .sliced)
        let passes: [(Int, PictureFormat)] = [
            (8_000_000, .progressiveJPEG), (4_000_000, .interlacedPNG), (3_000_000, .webP),
        ]
        for (most, format) in passes {
            #expect(placement(header(format, 1000, most / 1000, bytes: 1_000_000)) == .sliced)
            #expect(placement(header(format, 1000, most / 1000 + 1, bytes: 1_000_000)) == .worker)
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
        #expect(costs.placement(for: photo, fitting: small) == .atOnce)
        #expect(costs.placement(for: photo, fitting: targetSize) == .worker)
        let before = costs.estimate(photo, fitting: targetSize)
        costs.learn(photo, fitting: small, cost: .microseconds(300))
        #expect(costs.estimate(photo, fitting: targetSize) == before)
        costs.calibrate(took: CalibrationPicture.usualTime * 20)
        #expect(costs.placement(for: photo, fitting: small) == .sliced)
    }

    @Test func `no header is too large for an estimate`() {
        var costs = DecodingCosts()
        let most = header(.gif, 1 << 31, 1 << 31, bytes: .max / 4)
        #expect(costs.bound(most, fitting: targetSize) > .seconds(1000))
        let bytes = header(.progressiveJPEG, 65_535, 65_535, bytes: .max)
        #expect(costs.bound(bytes, fitting: targetSize) > .seconds(1000))
        costs.learn(fileBytes: 20_000, fitting: targetSize, cost: .seconds(1 << 33))
        #expect(costs.estimate(fileBytes: .max, fitting: targetSize) > .seconds(1000))
    }
}
