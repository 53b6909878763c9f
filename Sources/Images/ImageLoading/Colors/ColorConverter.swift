import CLullPictureCodecs

/// A converter of the pictures from one file to sRGB, in steps.
///
/// The profile is read and opened when the first picture is complete. A profile that can't be used
/// is no error: the picture is shown like one without a profile.
final class ColorConverter {
    private enum Stage {
        case reading(ProfileReader)
        case read(ColorProfile)
        case opened(ColorTransform?)
    }

    /// The number of pixels in a step, which takes some 10 µs, or 0.3 ms if the profile has tables.
    private static let pixelsAtOnce = 1024

    private let model: PictureColorModel
    private let isDeep: Bool
    private var stage: Stage
    /// The pixels of the current picture that have been converted.
    private var pixels = PictureBuffer()

    /// Creates a converter for the rows of a decoder; nil if they are in sRGB.
    init?(_ header: PictureHeader, _ rows: PictureRows) {
        guard header.colors != .sRGB || rows.model == .cmyk || rows.areDeep else { return nil }
        model =
            switch rows.model {
            case .grey: .grey
            case .rgb: .RGB
            case .cmyk: .inks
            }
        isDeep = rows.areDeep
        stage =
            switch header.colors {
            case .icc(let pieces): .reading(ProfileReader(pieces, isPacked: false))
            case .packedICC(let piece): .reading(ProfileReader([piece], isPacked: true))
            default: .read(header.colors)
            }
    }

    /// Converts a part of a complete picture; returns its pixels after the last part.
    func step(_ picture: RowResizer, of file: PictureFile) -> PictureBuffer? {
        switch exchange(&stage, with: .opened(nil)) {
        case .reading(var reader):
            let isRead = reader.step(file)
            stage = isRead ? .read(.iccBytes(reader.bytes)) : .reading(reader)
        case .read(let profile): stage = .opened(ColorTransform.of(profile, for: model))
        case .opened(let colors):
            stage = .opened(colors)
            if colors == nil, !isDeep, model != .inks { return picture.pixels }
            let (values, width) = (picture.pixels, isDeep ? 8 : 4)
            if pixels.isEmpty { pixels = PictureBuffer(capacity: values.count / width * 4) }
            let start = pixels.count / 4 * width
            let end = min(start + Self.pixelsAtOnce * width, values.count)
            ColorTransform.append(
                values.span.extracting(start..<end), model, isDeep: isDeep, with: colors,
                to: &pixels)
            guard end == values.count else { return nil }
            return exchange(&pixels, with: PictureBuffer())
        }
        return nil
    }
}
