/// The kinds of files, by the extensions of their names in lower case.
public enum PictureType {
    /// The media types of the pictures that are shown.
    public static let shown = table(
        ("image/jpeg", "jpg jpeg jpe jif jfif jfi pjp pjpeg"), ("image/png", "png apng"),
        ("image/webp", "webp"), ("image/gif", "gif"), ("image/heic", "heic heif hif"),
        ("image/avif", "avif"))

    /// The extensions of other pictures, cameras' raw files and videos.
    public static let unsupported = set(
        "3fr 3g2 3gp arw avi avifs bmp cr2 cr3 crw dcr dib dng emf eps erf exr flv hdr heics heifs "
            + "ico iiq j2k jng jp2 jpf jpx jxl jxr kdc m2ts m4v mef mkv mng mos mov mp4 mpeg mpg "
            + "mrw mts mxf nef nrw ogv orf pbm pcx pef pgm pnm ppm psb psd qoi raf raw rw2 rwl sr2 "
            + "srf srw svg svgz tga tif tiff vob wbmp webm wmf wmv x3f xbm xcf xpm")

    private static func set(_ words: String) -> Set<[UInt8]> {
        Set(words.utf8.split(separator: UInt8(ascii: " ")).map { Array($0) })
    }

    private static func table(_ types: (String, String)...) -> [[UInt8]: String] {
        var table: [[UInt8]: String] = [:]
        for (type, words) in types {
            for word in set(words) { table[word] = type }
        }
        return table
    }
}

extension PictureType {
    /// Returns the extension of a name in lower case; empty if there is none.
    public static func ending(of name: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let tail = name.suffix(16)
        guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return [] }
        return tail[tail.index(after: dot)...].map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }
}
