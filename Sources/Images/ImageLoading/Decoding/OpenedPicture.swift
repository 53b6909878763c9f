/// A file, the header of the picture in it, and the decoder of its format.
struct OpenedPicture {
    let file: PictureFile
    let header: PictureHeader
    private let decoder: any PictureDecoder.Type
    private let limits: PictureLimits

    /// Finds the decoder by the first bytes of a file, and reads its header.
    init(
        _ file: PictureFile, limits: PictureLimits, _ decoders: PictureDecoders
    ) throws(PictureError.Reason) {
        decoder = try decoders.decoder(of: file)
        header = try decoder.header(of: file)
        self.file = file
        self.limits = limits
        try limits.check(header.size)
    }

    /// Returns a decoder of the picture itself.
    func frame(
        fitting targetSize: PixelSize, givesPreviews: Bool
    ) throws(PictureError.Reason) -> FrameDecoder {
        let picture = EncodedPicture(
            file: file, range: 0..<file.byteCount, header: header, limits: limits,
            givesPreviews: givesPreviews)
        return try FrameDecoder(
            picture, with: decoder, fitting: header.orientation.stored(targetSize),
            header.orientation)
    }

    /// Returns a decoder of the embedded thumbnail; nil if it's unsuitable or beyond the limits.
    ///
    /// A thumbnail with fewer pixels than the result is suitable only as a preview.
    func thumbnailFrame(fitting targetSize: PixelSize, isPreview: Bool) -> FrameDecoder? {
        guard let thumbnail = header.embeddedThumbnail,
            isPreview
                ? thumbnail.isPlausible(for: header.size)
                : header.isServedByThumbnail(fitting: targetSize)
        else { return nil }
        // Never larger than the picture itself would be, even if a side differs by 2 %.
        let target = header.size.fitted(in: header.orientation.stored(targetSize))
        let inner = PictureHeader(
            format: thumbnail.format, size: thumbnail.size, fileBytes: thumbnail.range.count,
            channels: thumbnail.channels, bytesPerSample: 1, colors: header.colors)
        let picture = EncodedPicture(
            file: file, range: thumbnail.range, header: inner, limits: limits,
            givesPreviews: false)
        let isJPEG = thumbnail.format.mediaType == PictureFormat.jpeg.mediaType
        return try? FrameDecoder(
            picture, with: isJPEG ? JPEGDecoder.self : decoder, fitting: target,
            header.orientation)
    }
}

extension PictureHeader {
    /// Reads the header of a picture, with a few small reads, however large its file is.
    ///
    /// - Parameters:
    ///   - origin: The bytes. The position of an open file is not used or changed.
    ///   - name: The name of the file in errors; nil for its path.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - decoders: The decoders of the supported formats.
    /// - Returns: The header.
    /// - Throws: The reason why the file cannot be decoded, as far as its header shows, or
    ///   `changedWhileRead`.
    public static func read(
        _ origin: PictureOrigin, named name: String? = nil, limits: PictureLimits = PictureLimits(),
        decoders: PictureDecoders = .standard
    ) throws(PictureError) -> PictureHeader {
        var file: PictureFile?
        do throws(PictureError.Reason) {
            let opened = try origin.open(limits)
            file = opened
            let header = try OpenedPicture(opened, limits: limits, decoders).header
            guard !opened.hasChanged else { throw .changedWhileRead }
            return header
        } catch {
            throw PictureError(file: name ?? origin.name, reason: file?.checked(error) ?? error)
        }
    }
}
