import GalleryFiles
import Glibc
import ScrollModel
import TestSupport
import Testing

@testable import GalleryCatalogue

/// What happens at the bounds, and when the system refuses.
struct LimitTests {
    private let tree = PictureTree()

    private func limits(rows: Int = 100, folders: Int = 100, depth: Int = 32) -> CatalogueLimits {
        var limits = CatalogueLimits()
        limits.rows = rows
        limits.folders = folders
        limits.depth = depth
        return limits
    }

    @Test func `pictures beyond the bound come when others go`() throws {
        for folder in 0..<4 {
            tree.makeFolder("\(folder)")
            for number in 0..<10 { tree.write("\(folder)/\(number).png") }
        }
        let bench = try CatalogueBench(tree, limits: limits(rows: 25))
        try bench.settle()
        #expect(bench.catalogue.rowCount == 25)
        #expect(bench.issues == [.tooManyPictures(limit: 25)])
        #expect(bench.catalogue.omissions.isCut)
        bench.catalogue.list.checkInvariants()
        let name = try #require(bench.catalogue.sections.first?.folder.text)
        for number in 0..<10 { tree.delete("\(name)/\(number).png") }
        try bench.settle()
        #expect(bench.catalogue.rowCount == 25)
        for folder in 0..<4 { for number in 0..<6 { tree.delete("\(folder)/\(number).png") } }
        try bench.settle()
        #expect(bench.catalogue.rowCount == 12)
        #expect(bench.issues.count == 1)
        #expect(!bench.catalogue.omissions.isCut)
        #expect(bench.page == PageList(of: bench.catalogue))
        bench.catalogue.list.checkInvariants()
    }

    @Test func `folders beyond the bound aren't looked into, nor deeper ones`() throws {
        for folder in ["a", "a/b", "a/b/c", "d", "e"] {
            tree.makeFolder(folder)
            tree.write("\(folder)/0.png")
        }
        let few = try CatalogueBench(tree, limits: limits(folders: 3))
        try few.settle()
        #expect(few.catalogue.statistics.folders == 3)
        #expect(few.issues == [.tooManyFolders(limit: 3)])
        let flat = try CatalogueBench(tree, limits: limits(depth: 2))
        try flat.settle()
        #expect(flat.catalogue.sections.map(\.folder.text) == ["a", "a/b", "d", "e"])
        #expect(flat.issues == [.tooDeep(limit: 2)])
    }

    @Test func `where the system tells no changes, all is looked through each minute`() throws {
        for folder in 0..<8 {
            tree.makeFolder("\(folder)")
            tree.write("\(folder)/0.png")
        }
        let bench = try CatalogueBench(tree, watchLimit: 3)
        try bench.settle()
        let error = FileError.system(call: "inotify_add_watch", errno: ENOSPC)
        #expect(bench.issues == [.cannotWatch(error)])
        #expect(bench.catalogue.rowCount == 8)
        for folder in 0..<8 { tree.write("\(folder)/1.png") }
        try bench.run(for: .seconds(50))
        #expect(bench.catalogue.rowCount < 16)
        try bench.run(for: .seconds(11))
        #expect(bench.catalogue.rowCount == 16 && bench.catalogue.statistics.rescans == 1)
        // Once it tells again, nothing is looked through without need.
        bench.watchLimit.set(.max)
        try bench.run(for: .seconds(600))
        #expect(bench.catalogue.statistics.rescans == 2)
        tree.write("7/2.png")
        try bench.settle()
        #expect(bench.catalogue.rowCount == 17)
        #expect(bench.issues.count == 1)
    }

    @Test func `what the system lost count of is looked for everywhere`() throws {
        for folder in 0..<3 { tree.makeFolder("\(folder)") }
        let bench = try CatalogueBench(tree)
        try bench.settle()
        let most = try #require(readNumber("/proc/sys/fs/inotify/max_queued_events"))
        // Two that take turns aren't told as one.
        tree.write("0/a.png")
        tree.write("1/a.png")
        for _ in 0...most / 2 {
            tree.touch("0/a.png")
            tree.touch("1/a.png")
        }
        tree.write("2/lost.png")
        try bench.settle()
        #expect(bench.catalogue.statistics.overflows == 1)
        #expect(bench.catalogue.statistics.rescans == 1)
        #expect(bench.catalogue.rowCount == 3)
    }

    @Test(arguments: ["", "a"])
    func `each time that folders can't be read any more is told, and that they can be`(
        name: String
    ) async {
        await #expect(processExitsWith: .success) { [name = name as String] in
            let tree = PictureTree()
            for folder in ["a", "b"] {
                tree.makeFolder(folder)
                tree.write("\(folder)/0.png")
                unsafe chmod(tree.place(folder), 0o755)
            }
            unsafe chmod(tree.path, 0o755)
            let mayEverything = geteuid() == 0
            // To be able to change it, and not to read it.
            func setMode(_ mode: mode_t) {
                if mayEverything { seteuid(0) }
                unsafe chmod(tree.place(name), mode)
                if mayEverything { seteuid(65_534) }
            }
            setMode(0o755)
            let bench = try CatalogueBench(tree)
            try bench.settle()
            let folder = name.isEmpty ? .root : FilePath(Array(name.utf8))
            guard let path = folder, bench.issues.isEmpty else { exit(1) }
            let error = FileError.system(call: "openat2", errno: EACCES)
            for count in 1...3 {
                setMode(0)
                try bench.settle()
                guard bench.issues.count == count,
                    bench.issues.last == .mayNotList(path, error),
                    bench.endedIssues.count == count - 1,
                    bench.catalogue.omissions.unreadableFolders == 1
                else { exit(2) }
                // As long as it lasts it's told no more.
                bench.catalogue.rescan()
                try bench.settle()
                guard bench.issues.count == count else { exit(3) }
                setMode(0o755)
                try bench.settle()
                guard bench.endedIssues == bench.issues,
                    bench.catalogue.omissions.unreadableFolders == 0
                else { exit(4) }
            }
            if mayEverything { seteuid(0) }
        }
    }

    @Test func `trouble with a folder that passes by itself is told, and when it's over`() async {
        await #expect(processExitsWith: .success) {
            let tree = PictureTree()
            tree.write("0.png")
            let bench = try CatalogueBench(tree)
            try bench.settle()
            var limit = rlimit()
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            unsafe getrlimit(resource, &limit)
            let most = limit.rlim_cur
            for count in 1...2 {
                limit.rlim_cur = 0
                unsafe setrlimit(resource, &limit)
                bench.catalogue.rescan()
                try bench.run(for: .seconds(60))
                let error = FileError.system(call: "openat2", errno: EMFILE)
                guard bench.issues.count == count,
                    bench.issues.last == .cannotList(.root, error),
                    bench.endedIssues.count == count - 1,
                    bench.catalogue.omissions.unreadableFolders == 1,
                    bench.catalogue.rowCount == 1
                else { exit(1) }
                limit.rlim_cur = most
                unsafe setrlimit(resource, &limit)
                try bench.settle()
                guard bench.endedIssues == bench.issues,
                    bench.catalogue.omissions.unreadableFolders == 0
                else { exit(2) }
            }
        }
    }

    @Test func `a rescan finds what changed, and changes nothing else`() throws {
        tree.makeFolder("a")
        for number in 0..<10 { tree.write("a/\(number).png") }
        let bench = try CatalogueBench(tree)
        try bench.settle()
        let version = bench.catalogue.version
        bench.catalogue.rescan()
        try bench.settle()
        #expect(bench.catalogue.version == version)
        #expect(bench.catalogue.statistics.listings == 4)
        #expect(bench.catalogue.statistics.headersRead == 10)
    }

    private func readNumber(_ path: String) -> Int? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe read(file, &bytes, bytes.count)
        return Int(String(decoding: bytes.prefix(max(0, count - 1)), as: UTF8.self))
    }
}
