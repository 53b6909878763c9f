/// A PNG made without any library: 8 bits a channel, its data stored as it is.
struct PlainPNG {
    let width: Int
    let height: Int
    /// Red, green, blue and alpha of a pixel.
    let pixel: (Int, Int) -> [UInt8]

    var bytes: [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += pixel(x, y) }
        }
        let size = PlainPNG.big(width) + PlainPNG.big(height)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + PlainPNG.chunk("IHDR", size + [8, 6, 0, 0, 0])
            + PlainPNG.chunk("IDAT", stored(rows)) + PlainPNG.chunk("IEND", [])
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
