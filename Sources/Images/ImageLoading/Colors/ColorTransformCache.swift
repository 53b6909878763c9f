import CLullPictureCodecs

/// A cache of the most recently used profiles: the pictures of a folder use two or three.
struct ColorTransformCache {
    private struct Entry {
        let profile: ColorProfile
        let model: PictureColorModel
        let colors: ColorTransform?

        var byteCount: Int {
            if case .iccBytes(let bytes) = profile { bytes.count } else { 0 }
        }
    }

    private static let maxCount = 8
    private static let maxBytes = 2 << 20

    /// The entries, the least recently used first.
    private var entries: [Entry] = []

    /// Returns the transform of a profile, which may be none; nil if the profile isn't cached.
    mutating func find(_ profile: ColorProfile, for model: PictureColorModel) -> ColorTransform?? {
        guard let entry = remove(profile, model) else { return nil }
        entries.append(entry)
        return .some(entry.colors)
    }

    /// Stores the transform of a profile, and evicts the least recently used ones.
    mutating func keep(
        _ colors: ColorTransform?, of profile: ColorProfile, for model: PictureColorModel
    ) {
        _ = remove(profile, model)
        entries.append(Entry(profile: profile, model: model, colors: colors))
        while entries.count > Self.maxCount
            || entries.reduce(0, { $0 + $1.byteCount }) > Self.maxBytes
        {
            entries.removeFirst()
        }
    }

    private mutating func remove(_ profile: ColorProfile, _ model: PictureColorModel) -> Entry? {
        entries.firstIndex { $0.model == model && $0.profile == profile }
            .map { entries.remove(at: $0) }
    }
}
