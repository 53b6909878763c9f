/// What the headers of files have told, each read once for a state of its file.
///
/// Those of a bounded number of files are known; the one asked for longest ago is forgotten first.
struct HeaderBook {
    private struct Page {
        let header: PictureHeader
        let stamp: FileStamp
    }

    let capacity: Int
    private var pages = RecencyTable<String, Page>()

    init(capacity: Int = 4096) {
        self.capacity = capacity
    }

    var count: Int { pages.count }

    /// What a file said when it was last read, whatever became of it since.
    mutating func header(of path: String) -> PictureHeader? {
        pages.touch(path)
        return pages[path]?.header
    }

    /// What a file in this state says; nil if that was never read.
    mutating func header(of path: String, _ stamp: FileStamp) -> PictureHeader? {
        guard let page = pages[path], page.stamp == stamp else { return nil }
        pages.touch(path)
        return page.header
    }

    mutating func add(_ header: PictureHeader, of path: String, _ stamp: FileStamp) {
        pages.insert(Page(header: header, stamp: stamp), for: path)
        if pages.count > capacity { pages.removeOldest() }
    }
}
