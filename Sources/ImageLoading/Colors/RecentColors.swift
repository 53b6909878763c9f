import CPictureCodecs

/// The profiles that were used last: the pictures of a folder have one of two or three.
struct RecentColors {
    private struct Entry {
        let profile: ColorProfile
        let model: PictureColorModel
        let colors: OpenedColors?

        var byteCount: Int {
            if case .iccBytes(let bytes) = profile { bytes.count } else { 0 }
        }
    }

    private static let maxCount = 8
    private static let maxBytes = 2 << 20

    /// The entries, the one that was used last behind the others.
    private var entries: [Entry] = []

    /// Returns the colours of a profile, of which there may be none; nil if they aren't known.
    mutating func find(_ profile: ColorProfile, for model: PictureColorModel) -> OpenedColors?? {
        let place = entries.firstIndex { $0.model == model && $0.profile == profile }
        guard let place else { return nil }
        entries.append(entries.remove(at: place))
        return .some(entries[entries.count - 1].colors)
    }

    /// Keeps the colours of a profile, and drops those that weren't used for the longest time.
    mutating func keep(
        _ colors: OpenedColors?, of profile: ColorProfile, for model: PictureColorModel
    ) {
        entries.append(Entry(profile: profile, model: model, colors: colors))
        while entries.count > Self.maxCount
            || entries.reduce(0, { $0 + $1.byteCount }) > Self.maxBytes
        {
            entries.removeFirst()
        }
    }
}
