extension PictureJob {
    /// The options of a job: the supported formats, and ways to show something sooner.
    public struct Options: Sendable {
        /// Whether an embedded thumbnail may be used in place of its picture.
        ///
        /// It's used if it is large enough and has the picture's shape. It costs a hundredth of the
        /// picture, but a program may have changed the picture and not its thumbnail.
        public var usesEmbeddedThumbnail: Bool
        /// Whether a picture that is stored in passes gives a `refined` step before it is done.
        public var givesPreviews: Bool
        /// Whether the sound parts of a damaged file are shown, as a picture with its
        /// ``Picture/damage``; if not, the damage is an error.
        public var showsDamaged: Bool
        /// The decoders of the supported formats.
        public var decoders: PictureDecoders

        /// Creates options; by default, with thumbnails, previews, damaged pictures and the standard
        /// formats.
        public init(
            usesEmbeddedThumbnail: Bool = true, givesPreviews: Bool = true,
            showsDamaged: Bool = true, decoders: PictureDecoders = .standard
        ) {
            self.usesEmbeddedThumbnail = usesEmbeddedThumbnail
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
