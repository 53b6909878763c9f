/// What is to be written, but for the pixels.
struct ThumbnailEntry {
    /// The folder of the entry, `…/thumbnails/large` say.
    let folder: String
    let uri: FileURI
    /// The file that the thumbnail is of, as who asked has named it.
    let source: String
    /// The state in which that file was decoded.
    let stamp: FileStamp
    /// What the file said of itself, if it is a picture.
    let header: PictureHeader?

    var texts: [(keyword: String, text: String)] {
        ThumbnailAttributes.texts(of: uri, stamp, header)
    }
}
