/// A PNG made without any library: 8 bits a channel, its data stored as it is.
struct PlainPNG {
    let width: Int
    let height: Int
    /// Red, green, blue and alpha of a pixel.
    let pixel: (Int, Int) -> [UInt8]

    /// Four plain quarters, the last of which is clear.
    static func quarters(_ width: Int, _ height: Int) -> PlainPNG {
        PlainPNG(width: width, height: height) { x, y in
            switch (2 * x >= width, 2 * y >= height) {
            case (false, false): [200, 30, 30, 255]
            case (true, false): [30, 180, 40, 255]
            case (false, true): [40, 60, 210, 51]
            case (true, true): [9, 9, 9, 0]
            }
        }
    }

    var bytes: [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += pixel(x, y) }
        }
        return PlainPNG.head(width, height) + PlainPNG.chunk("IDAT", stored(rows))
            + PlainPNG.chunk("IEND", [])
    }

    /// All that stands before the pixels.
    static func head(_ width: Int, _ height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width) + big(height) + [8, 6, 0, 0, 0])
    }

    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var place = 0
        repeat {
            let count = min(65_535, bytes.count - place)
            let isLast: UInt8 = place + count == bytes.count ? 1 : 0
            let (low, high) = (UInt8(count & 255), UInt8(count >> 8))
            result += [isLast, low, high, ~low, ~high] + bytes[place..<place + count]
            place += count
        } while place < bytes.count
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return result + PlainPNG.big(b << 16 | a)
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        var sum: UInt32 = .max
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return big(data.count) + body + big(Int(~sum))
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
