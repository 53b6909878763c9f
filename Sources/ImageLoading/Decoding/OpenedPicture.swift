/// A file, and what its header says of the picture in it.
struct OpenedPicture {
    let file: PictureFile
    let header: PictureHeader

    /// A decoder of the picture itself, as it is stored.
    func frame(
        fitting box: PixelSize, limits: PictureLimits, givesPreviews: Bool
    ) throws(PictureError.Reason) -> FrameDecoder {
        try FrameDecoder(
            file, range: 0..<file.byteCount, header: header,
            fitting: header.orientation.stored(box), limits: limits, givesPreviews: givesPreviews)
    }

    /// A decoder of the thumbnail in the file, if it serves; nil too if it can't even be begun.
    func thumbnailFrame(fitting box: PixelSize, limits: PictureLimits) -> FrameDecoder? {
        guard let thumbnail = header.embeddedThumbnail, header.isServedByThumbnail(fitting: box)
        else { return nil }
        // Never larger than the picture itself would have become, also where a side differs by 2 %.
        let target = header.size.fitted(in: header.orientation.stored(box))
        return try? FrameDecoder(
            file, range: thumbnail.range, header: thumbnail.header, fitting: target,
            limits: limits, givesPreviews: false)
    }
}
