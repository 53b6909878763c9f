import TestSupport
import Testing

@testable import ImageLoading

@Suite("A buffer of a picture")
struct PictureBufferTests {
    @Test(arguments: seeds(0..<40))
    func `behaves as an array does`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var buffers = [(PictureBuffer(), [UInt8]())]
        var mistakes = 0
        for step in 0..<200 {
            let place = buffers.indices.randomElement(using: &random)!
            let count = Int.random(in: 0..<3, using: &random) * step * 20
            switch Int.random(in: 0..<7, using: &random) {
            case 0: buffers.append(buffers[place])
            case 1 where buffers.count > 1: buffers.remove(at: place)
            case 2:
                buffers[place].0.appendZeros(count)
                buffers[place].1 += [UInt8](repeating: 0, count: count)
            case 3:
                let more = (0..<count).map { UInt8(($0 + step) & 255) }
                buffers[place].0.append(more.span)
                buffers[place].1 += more
            case 4:
                buffers[place].0.append(addingCapacity: 100) { output in
                    for value in 0..<50 { output.append(UInt8(value)) }
                }
                buffers[place].1 += (0..<50).map { UInt8($0) }
            case 5 where !buffers[place].1.isEmpty:
                let index = buffers[place].1.indices.randomElement(using: &random)!
                var span = buffers[place].0.mutableSpan
                span[index] ^= 1
                buffers[place].1[index] ^= 1
            default:
                let capacity = Int.random(in: 0..<10_000, using: &random)
                buffers.append((PictureBuffer(capacity: capacity), []))
            }
            if buffers.count > 8 { buffers.removeFirst() }
            for (buffer, array) in buffers {
                let isSame = unsafe buffer.span.withUnsafeBufferPointer {
                    unsafe $0.elementsEqual(array)
                }
                if buffer.count != array.count || !isSame { mistakes += 1 }
            }
            let other = buffers.randomElement(using: &random)!
            if (buffers[0].0 == other.0) != (buffers[0].1 == other.1) { mistakes += 1 }
        }
        #expect(mistakes == 0)
    }

    @Test func `is a collection in one piece`() {
        let array = (0..<300).map { UInt8($0 & 255) }
        let buffer = PictureBuffer(array)
        #expect(
            Array(buffer) == array && buffer.elementsEqual(array)
                && buffer == PictureBuffer(array[...]))
        #expect(Array(buffer[10..<20]) == Array(array[10..<20]) && buffer[299] == array[299])
        #expect(
            unsafe buffer.withContiguousStorageIfAvailable { unsafe $0.elementsEqual(array) }
                == true)
        #expect(PictureBuffer([]).isEmpty && Array(PictureBuffer([])) == [])
        #expect(PictureBuffer([]) == PictureBuffer(capacity: 100))
        #expect(
            buffer != PictureBuffer(array.dropLast()) && buffer != PictureBuffer(array.reversed()))
    }

    @Test func `isn't copied into a picture`() {
        let buffer = PictureBuffer([1, 2, 3, 255])
        let picture = Picture(size: PixelSize(width: 1, height: 1), pixels: buffer)
        #expect(address(of: picture.pixels) == address(of: buffer))
    }
}

/// Where a buffer's bytes are.
func address(of buffer: PictureBuffer) -> UInt? {
    unsafe buffer.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
}
