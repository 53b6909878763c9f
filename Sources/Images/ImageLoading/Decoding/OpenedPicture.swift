/// A file, the header of the picture in it, and the decoder of its format.
struct OpenedPicture {
    let file: PictureFile
    let header: PictureHeader
    private let decoder: any PictureDecoder.Type

    /// Finds the decoder by the first bytes of a file, and reads its header.
    init(
        _ file: PictureFile, limits: PictureLimits, _ decoders: PictureDecoders
    ) throws(PictureError.Reason) {
        decoder = try decoders.decoder(of: file)
        header = try decoder.header(of: file)
        self.file = file
        try limits.check(header.size)
    }

    /// Returns a decoder of the picture itself, as it is stored.
    func frame(
        fitting targetSize: PixelSize, limits: PictureLimits, givesPreviews: Bool
    ) throws(PictureError.Reason) -> FrameDecoder {
        let picture = EncodedPicture(
            file: file, range: 0..<file.byteCount, header: header, limits: limits,
            givesPreviews: givesPreviews)
        return try FrameDecoder(
            picture, with: decoder, fitting: header.orientation.stored(targetSize))
    }

    /// Returns a decoder of the embedded thumbnail; nil if it's unsuitable or beyond the limits.
    ///
    /// A thumbnail with fewer pixels than the result is suitable only as a preview.
    func thumbnailFrame(
        fitting targetSize: PixelSize, limits: PictureLimits, isPreview: Bool
    ) -> FrameDecoder? {
        guard let thumbnail = header.embeddedThumbnail,
            isPreview
                ? thumbnail.isPlausible(for: header.size)
                : header.isServedByThumbnail(fitting: targetSize)
        else { return nil }
        // Never larger than the picture itself would be, even if a side differs by 2 %.
        let target = header.size.fitted(in: header.orientation.stored(targetSize))
        var inner = thumbnail.header
        inner.colors = header.colors
        let picture = EncodedPicture(
            file: file, range: thumbnail.range, header: inner, limits: limits,
            givesPreviews: false)
        let isJPEG = thumbnail.format.mediaType == PictureFormat.jpeg.mediaType
        return try? FrameDecoder(
            picture, with: isJPEG ? JPEGDecoder.self : decoder, fitting: target)
    }
}
