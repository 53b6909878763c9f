extension PictureJob {
    /// The options of a job: the supported formats, and ways to show something sooner.
    public struct Options: Sendable {
        /// Whether a picture that is stored in passes gives a `refined` step before it is done.
        public var givesPreviews: Bool
        /// Whether the sound parts of a damaged file are shown, as a picture with its
        /// ``Picture/damage``; if not, the damage is an error.
        public var showsDamaged: Bool
        /// The decoders of the supported formats.
        public var decoders: PictureDecoders

        /// Creates options; by default, with previews, damaged pictures and the standard formats.
        public init(
            givesPreviews: Bool = true, showsDamaged: Bool = true,
            decoders: PictureDecoders = .standard
        ) {
            self.givesPreviews = givesPreviews
            self.showsDamaged = showsDamaged
            self.decoders = decoders
        }
    }

    /// The part of a file that the pixels come from.
    public enum Source: Hashable, Sendable {
        /// The picture itself.
        case picture
        /// The small copy that a camera stored beside the picture.
        case embeddedThumbnail
    }
}
