import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A thumbnail cache` {
    let folder = CacheFolder()

    @Test(arguments: [
        (1, 128), (128, 128), (129, 256), (256, 256), (257, 512), (512, 512), (513, 1024),
        (1024, 1024), (1025, nil),
    ])
    func `has decoded to the smallest size that serves a target size`(side: Int, size: Int?) {
        let cache = folder.cache()
        let expected = size.map { PixelSize(width: $0, height: $0) }
        for size in [PixelSize(width: side, height: 1), PixelSize(width: 1, height: side)] {
            #expect(cache.decodingSize(of: PictureRequest("a", fitting: size), nil) == expected)
        }
    }

    @Test(arguments: [(128, "normal"), (256, "large"), (512, "x-large"), (1024, "xx-large")])
    func `keeps a picture under the name that the standard gives it`(
        side: Int, name: String
    ) throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        let picture = Picture.noise(side, 6)
        let original = PixelSize(width: 10 * side, height: 60)
        #expect(try cache.store(picture, of: file, original: original))
        let digest = MD5.hexadecimal(of: Array("file://\(file)".utf8))
        #expect(folder.entries == ["\(name)/\(digest).png"])
        let entry = "\(folder.root)/\(name)/\(digest).png"
        #expect(cache.find(file, side) == .file(entry))
        #expect(try PictureJob(.file(entry), fitting: .ample).decode() == picture)
        #expect(cache.find(file, side + 1) == .none)
    }

    @Test func `gives a larger thumbnail where the right one is missing`() throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        let original = PixelSize(width: 4000, height: 40)
        try cache.store(.plain(512, 5), of: file, original: original)
        for side in [100, 256, 300] { #expect(cache.find(file, side) != .none) }
        try cache.store(.plain(256, 3), of: file, original: original)
        #expect("\(cache.find(file, 100))".contains("/large/"))
        #expect("\(cache.find(file, 257))".contains("/x-large/"))
    }

    @Test func `gives none that is larger than its folder says`() throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        try cache.store(.plain(512, 5), of: file, original: PixelSize(width: 4000, height: 40))
        let name = folder.entries[0]
        folder.write("cache/thumbnails/large/x", [])
        let moved = name.replacing("x-large", with: "large")
        unsafe rename("\(folder.root)/\(name)", "\(folder.root)/\(moved)")
        #expect(cache.find(file, 256) == .none && cache.find(file, 512) == .none)
    }

    @Test func `keeps a small picture at its size, whatever the target size`() throws {
        let cache = folder.cache()
        let file = folder.write("a.png", [1])
        try cache.store(.plain(140, 20), of: file)
        #expect(folder.entries.count == 1 && folder.entries[0].hasPrefix("large/"))
        for side in [20, 128, 256, 1000] { #expect(cache.find(file, side) != .none) }
    }

    @Test func `refuses a picture that was shrunk to another size`() throws {
        let file = folder.write("a.jpg", [1])
        let original = PixelSize(width: 400, height: 300)
        #expect(try !folder.cache().store(.plain(160, 120), of: file, original: original))
        #expect(try !folder.cache().store(.plain(1025, 3), of: file))
        #expect(folder.entries == [])
    }

    @Test func `forgets a picture whose file has changed in time or length`() throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        try cache.store(.plain(9, 9), of: file)
        #expect(cache.find(file, 9) != .none)
        for seconds in [-1, 1] {
            CacheFolder.date(file, CacheFolder.written + seconds)
            #expect(cache.find(file, 9) == .none)
        }
        folder.write("a.jpg", [1, 2])
        #expect(cache.find(file, 9) == .none)
    }

    @Test(arguments: ["written", "replaced"])
    func `forgets a picture whose file is another of the same length and modification time`(
        way: String
    ) throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        try cache.store(.plain(9, 9), of: file)
        let old = try #require(FileStamp(ofFile: file))
        // The clock of files is coarse.
        for _ in 0..<100_000 where FileStamp(ofFile: file) == old {
            if way == "written" {
                folder.write("a.jpg", [3])
            } else {
                unsafe rename(folder.write("other.jpg", [3]), file)
            }
        }
        let new = try #require(FileStamp(ofFile: file))
        #expect(new.seconds == old.seconds && new.nanoseconds == old.nanoseconds)
        #expect(new.bytes == old.bytes && cache.find(file, 9) == .none)
        try cache.store(.plain(9, 9), of: file)
        #expect(cache.find(file, 9) != .none)
    }

    @Test func `leaves out a file that was written less than three seconds ago`() throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        let stamp = try #require(FileStamp(ofFile: file))
        for milliseconds in [-2999, 0, 2999] {
            folder.now = .seconds(CacheFolder.written) + .milliseconds(milliseconds)
            #expect(try !cache.store(.plain(9, 9), of: file))
            cache.recordFailure(of: file, stamp)
        }
        #expect(folder.entries == [])
        for seconds in [-3, 3] {
            folder.now = .seconds(CacheFolder.written + seconds)
            #expect(try cache.store(.plain(9, 9), of: file))
        }
        // Programs read times before 1970 in different ways.
        let old = folder.write("old.jpg", [1], at: -5)
        #expect(try !cache.store(.plain(9, 9), of: old))
    }

    @Test func `makes no thumbnails of thumbnails, whatever way leads to them`() throws {
        let cache = folder.cache()
        try cache.store(.plain(9, 9), of: folder.write("a.jpg", [1]))
        let entry = "\(folder.root)/\(folder.entries[0])"
        CacheFolder.date(entry, CacheFolder.written)
        unsafe symlink(entry, "\(folder.path)/link.png")
        for path in [entry, "\(folder.path)/link.png", "\(folder.root)//./\(folder.entries[0])"] {
            #expect(try !cache.store(.plain(9, 9), of: path))
        }
    }

    @Test func `notes that a file gives no picture, until it changes`() throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        let stamp = try #require(FileStamp(ofFile: file))
        cache.recordFailure(of: file, stamp)
        #expect(folder.entries.count == 1 && folder.entries[0].hasPrefix("fail/lull-1/"))
        for side in [9, 1000] { #expect(cache.find(file, side) == .failed) }
        CacheFolder.date(file, CacheFolder.written + 1)
        #expect(cache.find(file, 9) == .none)
        CacheFolder.date(file, CacheFolder.written)
        // What another program made of it counts for more.
        try cache.store(.plain(9, 9), of: file)
        #expect(cache.find(file, 9) != .failed)
        // A failure of a state that is past isn't noted.
        let other = folder.write("b.jpg", [1])
        let past = try #require(FileStamp(ofFile: other))
        folder.write("b.jpg", [1, 2])
        cache.recordFailure(of: other, past)
        #expect(cache.find(other, 9) == .none)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
    func `keeps to itself what the process may not read`() async {
        await #expect(processExitsWith: .success) {
            let folder = CacheFolder()
            let cache = folder.cache()
            let file = folder.write("a.jpg", [1])
            let broken = folder.write("b.jpg", [1])
            unsafe chown(file, 0, 0)
            for path in [file, broken] { unsafe chmod(path, 0) }
            try cache.store(.plain(9, 9), of: file)
            cache.recordFailure(of: broken, try #require(FileStamp(ofFile: broken)))
            for name in ["", "/cache", "/cache/thumbnails", "/cache/thumbnails/normal"] {
                unsafe chmod(folder.path + name, 0o777)
            }
            for entry in folder.entries { unsafe chmod("\(folder.root)/\(entry)", 0o666) }
            #expect(seteuid(65_534) == 0)
            #expect(cache.find(file, 9) == .none)
            #expect(cache.find(broken, 9) == .none)
            #expect(try !cache.store(.plain(9, 9), of: file))
            #expect(seteuid(0) == 0)
            #expect(cache.find(file, 9) != .none)
        }
    }

    @Test func `finds nothing in files that are no thumbnails`() throws {
        let cache = folder.cache()
        let file = folder.write("a.jpg", [1])
        try cache.store(.plain(9, 9), of: file)
        let entry = "\(folder.root)/\(folder.entries[0])"
        let bytes = CacheFolder.read(entry)
        let keyword = Array("Thumb::MTime".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: keyword) })
        // What GLib asks for is there once the time is, with its ten digits; whether the pixels
        // are, who decodes them sees.
        let end = place + keyword.count + 1 + 10
        let wrong = bytes.indices.filter { count in
            folder.write("cache/thumbnails/\(folder.entries[0])", Array(bytes[..<count]))
            return (cache.find(file, 9) != .none) != (count >= end)
        }
        #expect(wrong == [])
        for (place, byte) in [(0, 0), (12, 0), (11, 12), (36, 0xFF), (33, 0x7F)] {
            var damaged = bytes
            damaged[place] = UInt8(byte)
            folder.write("cache/thumbnails/\(folder.entries[0])", damaged)
            #expect(cache.find(file, 9) == .none)
        }
        unsafe unlink(entry)
        unsafe mkfifo(entry, 0o600)
        #expect(cache.find(file, 9) == .none)
    }

    @Test func `reads no more than the head of an entry, whoever wrote it`() throws {
        let file = folder.write("a.jpg", [1])
        let uri = try #require(FileURI(file: file))
        let texts = [("Thumb::URI", uri.text), ("Thumb::MTime", "\(CacheFolder.written)")]
        var encoder = try PNGEncoder(.plain(9, 9), texts: texts)
        var bytes: [UInt8] = []
        while !encoder.step(into: &bytes) {}
        // A colour profile in front, as some programs write it, is stepped over.
        let profile: [UInt8] = [0, 1, 0, 0] + "iCCP".utf8 + [UInt8](repeating: 7, count: 65_540)
        folder.write(
            "cache/thumbnails/large/\(uri.thumbnailName)",
            Array([bytes[..<33], profile[...], bytes[33...]].joined()))
        #expect(folder.cache().find(file, 256) != .none)
        let empty: [UInt8] = [0, 0, 0, 0] + "zzZz".utf8 + [0, 0, 0, 0]
        let many = Array([[UInt8]](repeating: empty, count: 70).joined())
        folder.write(
            "cache/thumbnails/large/\(uri.thumbnailName)",
            Array([bytes[..<33], many[...], bytes[33...]].joined()))
        #expect(folder.cache().find(file, 256) == .none)
    }

    @Test func `is believed of a file that it names, with its time, whoever wrote it`() throws {
        let file = folder.write("a.jpg", [1])
        let uri = try #require(FileURI(file: file))
        let (name, time) = (("Thumb::URI", uri.text), ("Thumb::MTime", "\(CacheFolder.written)"))
        for (texts, isBelieved) in [
            ([name, time], true), ([("Thumb::URI", uri.text + "x"), time], false), ([time], false),
            ([name, ("Thumb::MTime", "\(CacheFolder.written + 1)")], false), ([name], false),
        ] {
            var encoder = try PNGEncoder(.plain(9, 9), texts: texts)
            var bytes: [UInt8] = []
            while !encoder.step(into: &bytes) {}
            folder.write("cache/thumbnails/large/\(uri.thumbnailName)", bytes)
            #expect((folder.cache().find(file, 256) != .none) == isBelieved, "\(texts)")
        }
    }

    @Test func `is swept by those who write, so that its bound always holds`() throws {
        let bound = 40 * 4096
        let cache = folder.cache(DiskCacheBound(bytes: bound))
        var most = 0
        for index in 0..<100 {
            folder.now += .seconds(1)
            let file = folder.write("\(index).png", [1])
            try cache.store(.plain(9, 9), of: file)
            // What a process writes is dated by the system; the test dates it by its own clock.
            if case .file(let entry) = cache.find(file, 9) {
                CacheFolder.date(entry, Int(folder.now.components.seconds))
            }
            most = max(most, folder.entries.count)
        }
        #expect((38...40).contains(most))
        // The youngest are there, and no others.
        let found = (0..<100).filter { cache.find("\(folder.path)/\($0).png", 9) != .none }
        #expect(found == Array((100 - folder.entries.count)..<100))
    }

    @Test func `notes once a day that a picture was used, if it has a bound`() throws {
        let now = CacheFolder.written + 100
        let file = folder.write("a.png", [1])
        try folder.cache().store(.plain(9, 9), of: file)
        let entry = "\(folder.root)/\(folder.entries[0])"
        CacheFolder.date(entry, now)
        let day = 86_400
        for (seconds, noted, bound) in [
            (day - 1, 0, DiskCacheBound.service), (day, 0, .none), (day, day, .service),
            (2 * day - 1, day, .service), (2 * day, 2 * day, .service),
        ] {
            folder.now = .seconds(now + seconds)
            #expect(folder.cache(bound).find(file, 9) != .none)
            // The kernel may have noted the reading as well, by its own clock.
            let lastUse = CacheFolder.lastUse(entry)
            #expect(lastUse == now + noted || lastUse > now + 3 * day)
            CacheFolder.date(entry, now, read: now + noted)
        }
    }
}
