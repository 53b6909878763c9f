import CLullPictureCodecs
internal import IdleLoop

/// A transform from a profile's colours to sRGB, ready to convert pixels.
@safe final class ColorTransform: Sendable {
    private static let recent = Guarded(ColorTransformCache())

    // The pointee is constant until it is closed.
    private nonisolated(unsafe) let colors: OpaquePointer

    /// Returns the transform of a profile; nil if it has no effect on such pictures.
    static func of(_ profile: ColorProfile, for model: PictureColorModel) -> ColorTransform? {
        // Nobody waits for a thread that has the lock and no processor.
        if let known = recent.withLockIfAvailable({ $0.find(profile, for: model) }) ?? nil {
            return known
        }
        // This is not under the lock, as it may take milliseconds.
        let colors = ColorTransform(profile, for: model)
        recent.withLockIfAvailable { $0.keep(colors, of: profile, for: model) }
        return colors
    }

    /// Opens a profile; nil if it can't be used or has no effect.
    init?(_ profile: ColorProfile, for model: PictureColorModel) {
        let opened: OpaquePointer?
        switch profile {
        case .iccBytes(let bytes) where bytes.count <= ColorProfile.maxLength:
            unsafe opened = picture_colors_open(bytes, bytes.count, model)
        case .gamut(let gamut, let gamma) where model != .inks:
            unsafe opened = picture_colors_open_gamut(
                PictureGamut(
                    white_x: gamut.white.x, white_y: gamut.white.y, red_x: gamut.red.x,
                    red_y: gamut.red.y, green_x: gamut.green.x, green_y: gamut.green.y,
                    blue_x: gamut.blue.x, blue_y: gamut.blue.y, gamma: gamma ?? 0))
        default: unsafe opened = nil
        }
        guard let opened = unsafe opened else { return nil }
        unsafe colors = opened
    }

    deinit { unsafe picture_colors_close(colors) }

    /// Converts pixels, with two bytes for each value if they are deep, and appends the result.
    ///
    /// Without a transform, CMYK is converted by multiplication, and deep values are rounded to
    /// 8 bits.
    static func append(
        _ values: Span<UInt8>, _ model: PictureColorModel, isDeep: Bool,
        with colors: ColorTransform?, to pixels: inout PictureBuffer
    ) {
        let count = values.count / (isDeep ? 8 : 4)
        pixels.append(addingCapacity: 4 * count) { output in
            unsafe values.withUnsafeBufferPointer { values in
                unsafe output.withUnsafeMutableBufferPointer { result, resultCount in
                    guard let from = values.baseAddress, let to = result.baseAddress else {
                        return
                    }
                    unsafe picture_colors_convert(colors?.colors, model, isDeep, from, to, count)
                    resultCount = 4 * count
                }
            }
        }
    }
}
