/// A file, what its header says of the picture in it, and the decoder for both.
struct OpenedPicture {
    let file: PictureFile
    let header: PictureHeader
    private let decoder: any PictureDecoder.Type

    /// Looks at the first bytes of a file, and reads its header.
    init(
        _ file: PictureFile, limits: PictureLimits, _ decoders: PictureDecoders
    ) throws(PictureError.Reason) {
        let count = PictureDecoders.signatureLength
        let head = try file.bytes(at: 0, count: count)
        decoder = try decoders.decoder(of: head)
        header = try decoder.header(of: file)
        self.file = file
        try limits.check(header.size)
    }

    /// A decoder of the picture itself, as it is stored.
    func frame(
        fitting box: PixelSize, limits: PictureLimits, givesPreviews: Bool
    ) throws(PictureError.Reason) -> FrameDecoder {
        let picture = EncodedPicture(
            file: file, range: 0..<file.byteCount, header: header, limits: limits,
            givesPreviews: givesPreviews)
        return try FrameDecoder(
            picture, with: decoder, fitting: header.orientation.stored(box))
    }

    /// A decoder of the thumbnail in the file, if it serves; nil too if it can't even be begun.
    ///
    /// As a preview one serves that has fewer pixels than the picture will have.
    func thumbnailFrame(
        fitting box: PixelSize, limits: PictureLimits, isPreview: Bool
    ) -> FrameDecoder? {
        guard let thumbnail = header.embeddedThumbnail,
            isPreview
                ? thumbnail.isPlausible(for: header.size) : header.isServedByThumbnail(fitting: box)
        else { return nil }
        // Never larger than the picture itself would have become, also where a side differs by 2 %.
        let target = header.size.fitted(in: header.orientation.stored(box))
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
