import Glibc
import TestSupport

@testable import ImageLoading

/// A folder with pictures and a thumbnail cache, and a clock; gone with this object.
final class CacheFolder {
    /// When the pictures were written, unless a test says otherwise.
    static let written = 1_700_000_000

    let path: String
    private let time = TestTime(written + 100)
    /// The time by the cache's clock.
    var now: Duration {
        get { time.now }
        set { time.now = newValue }
    }

    init(_ files: [String: [UInt8]] = [:]) {
        path = makeTemporaryFolder("pictures")
        for (name, bytes) in files { write(name, bytes) }
    }

    deinit { Self.remove(path) }

    var root: String { "\(path)/cache/thumbnails" }

    func cache(_ bound: DiskCacheBound = .none) -> ThumbnailCache {
        ThumbnailCache(in: root, bound: bound) { [time] in time.now }
    }

    /// Writes a file and dates it; makes the folders that its name needs.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8], at seconds: Int = written) -> String {
        let file = "\(path)/\(name)"
        for index in file.indices.dropFirst() where file[index] == "/" {
            _ = unsafe mkdir(String(file[..<index]), 0o700)
        }
        let stream = unsafe fopen(file, "w")!
        _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, stream) }
        unsafe fclose(stream)
        Self.date(file, seconds)
        return file
    }

    static func read(_ file: String) -> [UInt8] {
        let stream = unsafe fopen(file, "r")!
        defer { unsafe fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, stream)
        return Array(bytes[..<count])
    }

    static func date(_ file: String, _ seconds: Int, read: Int? = nil) {
        let changed = timespec(tv_sec: seconds, tv_nsec: 0)
        let used = timespec(tv_sec: read ?? seconds, tv_nsec: 0)
        unsafe utimensat(AT_FDCWD, file, [used, changed], 0)
    }

    /// When a file was last read or written, in seconds.
    static func lastUse(_ file: String) -> Int {
        FileStatus(ofFile: file).map { Int($0.lastUse.components.seconds) } ?? 0
    }

    /// All files of the cache: their paths in it, in order.
    var entries: [String] { Self.files(in: root).sorted() }

    /// What a file's permissions are.
    func permissions(_ name: String) -> UInt32 {
        var status = stat()
        unsafe lstat(name.isEmpty ? root : "\(root)/\(name)", &status)
        return status.st_mode & 0o7777
    }

    static func files(in folder: String) -> [String] {
        names(in: folder).flatMap { name in
            isFolder("\(folder)/\(name)")
                ? files(in: "\(folder)/\(name)").map { "\(name)/\($0)" } : [name]
        }
    }

    static func remove(_ path: String) {
        if isFolder(path) {
            for name in names(in: path) { remove("\(path)/\(name)") }
            unsafe rmdir(path)
        } else {
            unsafe unlink(path)
        }
    }

    private static func names(in folder: String) -> [String] {
        guard var reader = DiskCacheNames(of: "", beneath: folder) else { return [] }
        var names: [String] = []
        while let name = reader.next() { if name != ".", name != ".." { names.append(name) } }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension ThumbnailCache {
    /// Stores a picture in one go; says whether there was anything to do.
    @discardableResult
    func store(
        _ picture: Picture, of file: String, original: PixelSize? = nil, stamp: FileStamp? = nil
    ) throws -> Bool {
        guard let stamp = stamp ?? FileStamp(ofFile: file) else { return false }
        let header = PictureHeader(
            format: .jpeg, size: original ?? picture.size, fileBytes: 1,
            channels: 3, bytesPerSample: 1)
        let made = MadePicture(value: picture, picture: picture, header: header, stamp: stamp)
        let request = PictureRequest(file, fitting: picture.size)
        return try writer(of: made, for: request)?.finish() != nil
    }

    /// Notes in one go that a file gives no picture.
    func recordFailure(of file: String, _ stamp: FileStamp) {
        let size = PixelSize(width: 1, height: 1)
        _ = try? failureWriter(of: PictureRequest(file, fitting: size), stamp)?.finish()
    }

    /// What is found of a file as it is now.
    func find(_ file: String, _ side: Int) -> StoredPicture<Picture> {
        guard let stamp = FileStamp(ofFile: file) else { return .none }
        return find(PictureRequest(file, fitting: PixelSize(width: side, height: side)), stamp)
    }
}

extension Picture {
    /// Noise of any alpha, premultiplied.
    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) -> Picture {
        var random = SplitMix64(seed: seed)
        var pixels: [UInt8] = []
        for _ in 0..<width * height {
            let alpha = [0, 255, UInt8.random(in: 0...255, using: &random)].randomElement(
                using: &random)!
            pixels += (0..<3).map { _ in UInt8.random(in: 0...alpha, using: &random) } + [alpha]
        }
        return Picture(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    /// One colour, opaque.
    static func plain(_ width: Int, _ height: Int) -> Picture {
        let pixels = [[UInt8]](repeating: [200, 100, 50, 255], count: width * height)
        return Picture(
            size: PixelSize(width: width, height: height), pixels: Array(pixels.joined()))
    }
}

/// Does something while a limit of the process is lower.
func withLimit(_ limited: __rlimit_resource, _ value: UInt, _ body: () -> Void) {
    let resource = __rlimit_resource_t(limited.rawValue)
    var before = rlimit()
    guard unsafe getrlimit(resource, &before) == 0 else { return }
    var limit = rlimit(rlim_cur: value, rlim_max: before.rlim_max)
    unsafe setrlimit(resource, &limit)
    body()
    unsafe setrlimit(resource, &before)
}
