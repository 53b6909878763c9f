import ScrollModel
import Testing

struct HeightPrecacheTests {
    private var cache = KeyedHeightCache<Int>(limit: 6)
    private var measured: [Int] = []

    /// One slice, of so many questions whether to go on; whether there is more.
    private mutating func slice(_ precache: inout HeightPrecache<Int>, turns: Int) throws -> Bool {
        var turns = turns
        var keys: [Int] = []
        defer { measured += keys }
        return try precache.run(in: &cache) {
            turns -= 1
            return turns >= 0
        } measure: { key in
            keys.append(key)
            return key == 13 ? .nan : Double(key)
        }
    }

    @Test mutating func `it goes on where the last slice ended`() throws {
        var precache = HeightPrecache(1...5, width: 320)
        #expect(try slice(&precache, turns: 0))
        #expect(precache.position == 0)
        #expect(try slice(&precache, turns: 2))
        #expect(measured == [1, 2])
        #expect(try slice(&precache, turns: 1))
        #expect(!precache.isDone)
        #expect(try !slice(&precache, turns: 2), "the last slice says that it's the last")
        #expect(measured == [1, 2, 3, 4, 5])
        #expect(precache.isDone)
        #expect(try !slice(&precache, turns: 2))
        #expect(cache.count == 5)
    }

    @Test mutating func `what is stored isn't measured again`() throws {
        try cache.store(7, for: 2, width: 320)
        try cache.store(7, for: 3, width: 480)
        var precache = HeightPrecache(1...3, width: 320)
        #expect(try !slice(&precache, turns: 3))
        #expect(measured == [1, 3])
        #expect(cache.storedHeight(for: 2, width: 320) == 7)
    }

    @Test mutating func `a full cache drops nothing for rows that nobody asked for`() throws {
        for key in 100..<104 { try cache.store(44, for: key, width: 320) }
        var precache = HeightPrecache(1...9, width: 320)
        #expect(try !slice(&precache, turns: 9))
        #expect(measured == [1, 2])
        #expect(cache.count == 6)
        // And what nobody asked for is the first to go.
        try cache.store(44, for: 104, width: 320)
        #expect(cache.storedHeight(for: 2, width: 320) == nil)
        #expect(cache.storedHeight(for: 1, width: 320) == 1)
    }

    @Test mutating func `a height that can't be is passed over after its error`() throws {
        var precache = HeightPrecache([1, 13, 2], width: 320)
        #expect(throws: KeyedHeightError.self) { try slice(&precache, turns: 3) }
        #expect(precache.position == 2)
        #expect(try !slice(&precache, turns: 3))
        #expect(measured == [1, 13, 2])
        #expect(cache.storedHeight(for: 13, width: 320) == nil)
    }
}
