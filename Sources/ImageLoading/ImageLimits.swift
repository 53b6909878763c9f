internal import IdleLoop

/// What a file may cost at most before it is refused.
///
/// A few hundred bytes can claim to be a picture of gigabytes. The limits are checked before the
/// memory is taken.
public struct ImageLimits: Hashable, Sendable {
    /// The bytes of the file.
    public var fileBytes: Int
    /// The pixels that the file says it has.
    public var pixels: Int
    /// The bytes that a decoder keeps for a picture that does not come row by row.
    public var decoderMemory: Int
    /// The scans of a progressive JPEG.
    public var scans: Int
    /// The places in damaged JPEG data that are passed over before the file counts as corrupt.
    public var warnings: Int
    /// The processor time that all steps of decoding may take together.
    ///
    /// It is checked after each step, and within one before each read of the file.
    public var time: Duration

    /// Limits for pictures from strangers; real photos stay below them.
    public init(
        fileBytes: Int = 64 << 20, pixels: Int = 128_000_000, decoderMemory: Int = 96_000_000,
        scans: Int = 100, warnings: Int = 1000, time: Duration = .seconds(2)
    ) {
        self.fileBytes = fileBytes
        self.pixels = pixels
        self.decoderMemory = decoderMemory
        self.scans = scans
        self.warnings = warnings
        self.time = time
    }

    func check(fileBytes found: Int) throws(ImageError.Reason) {
        try check(.bytes, found, fileBytes)
    }

    func check(_ size: PixelSize) throws(ImageError.Reason) {
        try check(.pixels, size.width * size.height, pixels)
    }

    func check(decoderMemory found: Int) throws(ImageError.Reason) {
        try check(.decoderMemory, found, decoderMemory)
    }

    func check(_ meter: inout StepMeter) throws(ImageError.Reason) {
        let limit = Int(time.wholeNanoseconds)
        guard let sum = meter.sum(above: limit) else { return }
        throw .tooLarge(.time, found: sum, limit: limit)
    }

    private func check(
        _ measure: ImageError.Measure, _ found: Int, _ limit: Int
    ) throws(ImageError.Reason) {
        if found > limit { throw .tooLarge(measure, found: found, limit: limit) }
    }
}
