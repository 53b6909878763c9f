import CLullPictureCodecs

/// A cache of the most recently used profiles: the pictures of a folder use two or three.
struct ColorTransformCache {
    private struct Key: Hashable {
        let profile: ColorProfile
        let model: PictureColorModel

        var byteCount: Int {
            if case .iccBytes(let bytes) = profile { bytes.count } else { 0 }
        }

        /// Hashes the length of a profile alone, as it may have megabytes.
        func hash(into hasher: inout Hasher) {
            hasher.combine(byteCount)
            if byteCount == 0 { hasher.combine(profile) }
        }
    }

    private static let maxCount = 8
    private static let maxBytes = 2 << 20

    private var entries = LRUTable<Key, ColorTransform?>(capacity: maxCount)

    /// Returns the transform of a profile, which may be none; nil if the profile isn't cached.
    mutating func find(_ profile: ColorProfile, for model: PictureColorModel) -> ColorTransform?? {
        let key = Key(profile: profile, model: model)
        guard let colors = entries[key] else { return nil }
        entries.insert(colors, for: key)
        return .some(colors)
    }

    /// Stores the transform of a profile, and evicts the least recently used ones.
    mutating func keep(
        _ colors: ColorTransform?, of profile: ColorProfile, for model: PictureColorModel
    ) {
        entries.insert(colors, for: Key(profile: profile, model: model))
        while entries.keys.reduce(0, { $0 + $1.byteCount }) > Self.maxBytes {
            entries.removeOldest()
        }
    }
}
