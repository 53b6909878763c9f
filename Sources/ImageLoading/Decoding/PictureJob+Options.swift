extension PictureJob {
    /// What a decoder may do to show something sooner.
    public struct Options: Sendable {
        /// Whether a thumbnail within the file may stand for its picture.
        ///
        /// It does where it is large enough and of the picture's shape. It costs a hundredth of the
        /// picture, but some program may have changed the picture and not its thumbnail.
        public var usesEmbeddedThumbnail: Bool
        /// Whether a picture that comes in passes is worth a step `refined` before it is done.
        public var givesPreviews: Bool
        /// The kinds of pictures that are read.
        public var decoders: PictureDecoders

        /// Everything that is quick, of the kinds that most programs read, unless told otherwise.
        public init(
            usesEmbeddedThumbnail: Bool = true, givesPreviews: Bool = true,
            decoders: PictureDecoders = .standard
        ) {
            self.usesEmbeddedThumbnail = usesEmbeddedThumbnail
            self.givesPreviews = givesPreviews
            self.decoders = decoders
        }
    }

    /// What of a file the pixels come from.
    public enum Source: Hashable, Sendable {
        /// The picture itself.
        case picture
        /// The small copy that a camera put beside it.
        case embeddedThumbnail
    }
}
