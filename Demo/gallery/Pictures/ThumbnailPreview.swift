internal import Foundation
internal import ImageLoading

/// A tiny picture that a page shows, enlarged, until the thumbnail has arrived.
///
/// It is a text in the thumbnail's own file, which caches keep with it: the base64 of a PNG if the
/// picture has transparency; else of a JPEG's width and height, a byte each, and its scan, a
/// hundred bytes or two. What comes before the scan is ``head``, the same for all but for the size.
enum ThumbnailPreview {
    /// The number of pixels on the longer side: of a JPEG, and of a PNG, which has more bytes.
    private static let longestSide = (jpeg: 32, png: 16)
    /// The maximum length of the text; a picture that needs more has no preview.
    static let mostBytes = 1536
    private static let quality = 60
    private static let keyword = "Preview"
    /// The bytes of a JPEG before its first own segment: its start, and the JFIF segment.
    private static let start = 20
    /// The bytes of a PNG before its second chunk.
    private static let header = 33

    /// The base64 of a JPEG up to its scan; empty if there is no memory.
    static let head: String = {
        let pixel = Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255])
        guard let file = try? jpeg(of: pixel), let scan = scan(in: file) else { return "" }
        return Data(file[..<scan.lowerBound]).base64EncodedString()
    }()

    /// Returns the preview of a picture; nil if it would be too long.
    static func make(of picture: Picture, isOpaque: Bool) throws(PictureError.Reason) -> String? {
        let tiny = picture.sampled(
            fitting: isOpaque ? longestSide.jpeg : longestSide.png)
        var bytes: [UInt8] = []
        if isOpaque {
            let file = try jpeg(of: tiny)
            guard let scan = scan(in: file) else { return nil }
            bytes = [UInt8(tiny.size.width), UInt8(tiny.size.height)] + file[scan]
        } else {
            var encoder = try PNGEncoder(tiny)
            while !encoder.step(into: &bytes) {}
        }
        let text = Data(bytes).base64EncodedString()
        return text.utf8.count <= mostBytes ? text : nil
    }

    /// The texts of a PNG with a preview.
    static func texts(_ preview: String?) -> [(keyword: String, text: String)] {
        preview.map { [(keyword, $0)] } ?? []
    }

    /// Inserts a preview into a JPEG as a comment, if that leaves it within the limit.
    static func insert(_ preview: String, into file: inout [UInt8], limit: Int) {
        let length = preview.utf8.count + 2
        guard file.count >= start, file.count + 2 + length <= limit else { return }
        let marker = [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)]
        file.insert(contentsOf: marker + preview.utf8, at: start)
    }

    /// Returns the preview in a thumbnail's file; nil if there is none.
    static func find(in file: PictureBuffer) -> String? {
        func number(_ bytes: Slice<PictureBuffer>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        let (type, begin, end): ([UInt8], Int, Int)
        guard file.count > header + 16 else { return nil }
        if file[0] == 0xFF {
            (type, begin) = ([0xFF, 0xFE], start + 4)
            end = start + 2 + number(file[start + 2..<start + 4])
            guard file[start..<start + 2].elementsEqual(type) else { return nil }
        } else {
            type = Array("tEXt\(keyword)".utf8) + [0]
            begin = header + 4 + type.count
            end = header + 8 + number(file[header..<header + 4])
            guard file.count >= begin, file[header + 4..<begin].elementsEqual(type) else {
                return nil
            }
        }
        guard begin <= end, end - begin <= mostBytes, end <= file.count else { return nil }
        return String(decoding: file[begin..<end], as: UTF8.self)
    }

    private static func jpeg(of picture: Picture) throws(PictureError.Reason) -> [UInt8] {
        var encoder = try JPEGEncoder(picture, quality: quality)
        var file: [UInt8] = []
        while try !encoder.step(into: &file) {}
        return file
    }

    /// Returns the place of a JPEG's scan: behind its header, up to the end of the picture.
    private static func scan(in file: [UInt8]) -> Range<Int>? {
        var place = 2
        while place + 4 <= file.count, file[place] == 0xFF {
            let isScan = file[place + 1] == 0xDA
            place += 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
            if isScan { return place <= file.count - 2 ? place..<file.count - 2 : nil }
        }
        return nil
    }
}

extension Picture {
    /// Returns this picture scaled down to fit in a square, each pixel the mean of sixteen.
    ///
    /// Of a row's thumbnail, one pixel in nine counts: that is enough for what is shown blurred.
    fileprivate func sampled(fitting side: Int) -> Picture {
        let size = size.fitted(in: PixelSize(width: side, height: side))
        func places(_ count: Int, of length: Int) -> [Int] {
            (0..<4 * count).map { (2 * $0 + 1) * length / (8 * count) }
        }
        let columns = places(size.width, of: self.size.width).map { 4 * $0 }
        let rows = places(size.height, of: self.size.height).map { 4 * self.size.width * $0 }
        let bytes = pixels.span
        var result: [UInt8] = []
        result.reserveCapacity(4 * size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                var sum = SIMD4<UInt16>.zero
                for row in rows[4 * y..<4 * y + 4] {
                    for column in columns[4 * x..<4 * x + 4] {
                        let place = row + column
                        sum &+= SIMD4(
                            UInt16(bytes[place]), UInt16(bytes[place + 1]),
                            UInt16(bytes[place + 2]), UInt16(bytes[place + 3]))
                    }
                }
                for channel in 0..<4 { result.append(UInt8(sum[channel] / 16)) }
            }
        }
        return Picture(size: size, pixels: result)
    }
}
