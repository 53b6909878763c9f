import Foundation
import TestSupport
import Testing

@testable import ImageLoading

@Suite("A pool of memory for pictures")
struct PicturePoolTests {
    private typealias Block = UnsafeMutableRawBufferPointer

    @Test func `has sizes that are hardly larger than what is asked for`() {
        var last = 0
        let all = (0..<200).map { $0 * 1000 } + (18..<30).flatMap { [1 << $0, 1 << $0 + 1] }
        for bytes in all {
            let (number, size) = PicturePool.SizeClass.find(bytes)
            #expect(size >= max(1, bytes) && size % 4096 == 0 && size >= last)
            #expect(size < bytes + 4096 || 4 * size <= 5 * bytes + 4 * 4096)
            #expect((number == nil) == (bytes > 64 << 20))
            last = size
            guard let number else { continue }
            #expect(number < PicturePool.SizeClass.count)
            #expect(PicturePool.SizeClass.size(number) == size)
            #expect(PicturePool.SizeClass.find(size) == (number, size))
        }
    }

    @Test func `gives a block that another thread has put`() async {
        let pool = PicturePool(limit: 1 << 20)
        let address = await onAnotherThread {
            UInt(bitPattern: unsafe pool.take(100_000)?.baseAddress)
        }
        let size = PicturePool.SizeClass.find(100_000).size
        let start = unsafe UnsafeMutableRawPointer(bitPattern: address)
        unsafe pool.put(Block(start: start, count: size))
        #expect(pool.byteCount == size)
        let other = await onAnotherThread {
            UInt(bitPattern: unsafe pool.take(99_000)?.baseAddress)
        }
        #expect(other == address && pool.byteCount == 0)
        unsafe pool.put(Block(start: start, count: size))
    }

    @Test func `keeps the last blocks, within its bound`() {
        let pool = PicturePool(limit: 400_000)
        let sizes = [50_000, 100_000, 150_000, 200_000, 300_000, 500_000]
        for bytes in sizes {
            let block = unsafe pool.take(bytes)!
            unsafe pool.put(block)
            #expect(pool.byteCount <= 400_000)
            guard bytes < 400_000 else { break }
            let again = unsafe pool.take(bytes)!
            #expect(unsafe again.baseAddress == block.baseAddress)
            unsafe pool.put(again)
        }
        pool.limit = 100_000
        #expect(pool.byteCount <= 100_000)
        pool.trim(to: 0)
        #expect(pool.byteCount == 0)
    }

    @Test(arguments: seeds(0..<20))
    func `behaves as a list of blocks for each size does`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pool = PicturePool(limit: 1 << 30)
        var live: [(block: Block, last: Int, mark: UInt8)] = unsafe []
        var kept: [Int: Set<UInt>] = [:]
        var mistakes = 0
        for step in 0..<600 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                pool.trim(to: 0)
                kept = [:]
            case 1...10:
                let bytes = 1 << Int.random(in: 0..<19, using: &random)
                let block = unsafe pool.take(bytes)!
                let wasKept =
                    kept[block.count]?.remove(UInt(bitPattern: block.baseAddress)) != nil
                if block.count < bytes || wasKept == (kept[block.count] == nil) { mistakes += 1 }
                if kept[block.count]?.isEmpty == true { kept[block.count] = nil }
                unsafe (block[0], block[bytes - 1]) = (UInt8(step & 255), UInt8(step & 255))
                unsafe live.append((block, bytes - 1, UInt8(step & 255)))
            default:
                guard let place = unsafe live.indices.randomElement(using: &random) else {
                    continue
                }
                let (block, last, mark) = unsafe live.remove(at: place)
                // Nobody else has written to it.
                if unsafe block[0] != mark || block[last] != mark { mistakes += 1 }
                unsafe pool.put(block)
                guard kept[block.count, default: []].count < 16 else { continue }
                kept[block.count, default: []].insert(UInt(bitPattern: block.baseAddress))
            }
            let sum = kept.reduce(0) { $0 + $1.key * $1.value.count }
            if pool.byteCount != sum { mistakes += 1 }
        }
        #expect(mistakes == 0)
        unsafe live.forEach { unsafe pool.put($0.block) }
    }

    @Test func `gives each block to one of many threads`() async {
        let pool = PicturePool(limit: 300_000)
        let mistakes = await withTaskGroup { group in
            for thread in 1...4 {
                group.addTask {
                    await onAnotherThread {
                        var random = SplitMix64(seed: UInt64(thread))
                        var mistakes = 0
                        for _ in 0..<2000 {
                            let bytes = 4096 * Int.random(in: 1..<20, using: &random)
                            let block = unsafe pool.take(bytes)!
                            for place in stride(from: 0, to: bytes, by: 4096) {
                                unsafe block[place] = UInt8(thread)
                            }
                            for place in stride(from: 0, to: bytes, by: 4096)
                            where unsafe block[place] != UInt8(thread) { mistakes += 1 }
                            unsafe pool.put(block)
                        }
                        return mistakes
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(mistakes == 0 && pool.byteCount <= 300_000)
    }

    @Test func `has the memory of decoded pictures`() async {
        await #expect(processExitsWith: .success) {
            let bytes = Sample(300, 200).rgbPNG()
            func decoded() async throws -> Picture {
                let picture = await onAnotherThread { try? decode(bytes) }
                return try #require(picture)
            }
            var picture: Picture? = try await decoded()
            let first = picture.map { address(of: $0.pixels) }
            let codecs = PicturePool.shared.byteCount
            picture = nil
            let size = PicturePool.SizeClass.find(240_000).size
            #expect(PicturePool.shared.byteCount == codecs + size)
            picture = try await decoded()
            #expect(picture.map { address(of: $0.pixels) } == first)
            #expect(PicturePool.shared.byteCount == codecs)
            PictureBuffer.reusableBytes = 0
            picture = nil
            #expect(PicturePool.shared.byteCount == 0 && PictureBuffer.reusableBytes == 0)
        }
    }
}

private func onAnotherThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
) async -> Result {
    await withCheckedContinuation { done in
        Thread.detachNewThread { done.resume(returning: body()) }
    }
}
