import GalleryFiles
import ImageLoading
import LullTesting
import ScrollModel
import TestSupport
import Testing

@testable import GalleryCatalogue

/// The pictures by date, and all that follows them.
struct DateListTests {
    private func picture(_ name: String, modified: Int) throws -> ListedPicture {
        let path = try #require(FilePath(Array(name.utf8)))
        return ListedPicture(path: path, stamp: 1, byteCount: 1, modified: modified)
    }

    private func names(_ list: PictureList) -> [String] {
        list.dates.sections.flatMap { section in
            [section.month.name + ":"] + section.pictures.map(\.path.text)
        }
    }

    @Test func `the newest come first, in months; of one second those with the first names`() throws
    {
        var changes = PendingChanges()
        let day = 86_400
        changes.folders[.root] = try [
            picture("1.png", modified: 0), picture("2.png", modified: 30 * day),
            picture("10.png", modified: 30 * day), picture("11.png", modified: -1),
            picture("12.png", modified: 31 * day),
        ]
        let empty = PictureList(limit: 100, numbering: { PictureID(of: $0) })
        var list = ListRebuild(of: empty, with: changes).list
        #expect(
            names(list) == [
                "February 1970:", "12.png", "January 1970:", "2.png", "10.png", "1.png",
                "December 1969:", "11.png",
            ])
        // The camera's date counts more than the file's.
        let entry = try #require(list.sections.first?.entries[3])
        let header = ReadHeader(key: entry.key, pixels: nil, taken: 31 * day - 1)
        let rebuild = ListRebuild(of: list, with: PendingChanges(headers: [header]))
        list = rebuild.list
        #expect(
            names(list) == [
                "February 1970:", "12.png", "January 1970:", "11.png", "2.png", "10.png", "1.png",
            ])
        list.checkInvariants()
    }

    @Test(arguments: 0..<60) func `all orders and lines follow any changes`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var list = PictureList(limit: 60, numbering: { PictureID(of: $0) })
        var keys: [ListOrder: [PictureKey]] = [.name: [], .date: []]
        for _ in 0..<30 {
            let changes = try changes(of: list, &random)
            let rebuild = ListRebuild(of: list, with: changes)
            list = rebuild.list
            list.checkInvariants()
            for order in ListOrder.allCases {
                let now = (0..<list.rows.layout.rowCount).map {
                    list[list.row(atPosition: $0, in: order)].key
                }
                if let change = rebuild.change {
                    keys[order]?.follow(change[order], now)
                }
                #expect(keys[order] == now)
            }
        }
    }

    /// Random findings of a look at some folders, and in some headers.
    private func changes(
        of list: PictureList, _ random: inout SeededGenerator
    ) throws -> PendingChanges {
        var changes = PendingChanges()
        let folders = ["a", "b", "b/c"]
        for folder in folders where random.next() % 3 == 0 {
            let path = try #require(FilePath(Array(folder.utf8)))
            let pictures = try (0..<20).filter { _ in random.next() % 2 == 0 }.map { number in
                // Sometimes written anew.
                let month = Int.random(in: 0..<3, using: &random)
                let picture = try picture("\(folder)/\(number).png", modified: month * 2_600_000)
                return ListedPicture(
                    path: picture.path, stamp: UInt64(month), byteCount: 1,
                    modified: picture.modified)
            }
            changes.folders[path] = pictures
        }
        for section in list.sections {
            for entry in section.entries where random.next() % 4 == 0 {
                let width = Int.random(in: 1...3000, using: &random)
                let taken = Int.random(in: -1...12, using: &random)
                changes.headers.append(
                    ReadHeader(
                        key: entry.key,
                        pixels: width % 5 == 0 ? nil : PixelSize(width: width, height: 500),
                        taken: taken < 0 ? nil : taken * 1_000_000))
            }
        }
        if random.next() % 3 == 0 {
            let flow = ListArrangement.Flow.justified(
                width: [320, 512, 1152][Int(random.next() % 3)])
            let order = random.next() % 2 == 0 ? ListOrder.name : .date
            changes.arrangements.insert(ListArrangement(order, flow: flow))
        }
        return changes
    }

    @Test func `months are those of the calendar`() {
        // Seconds since 1970, as date(1) gives them.
        let months = [
            (-62_167_219_200, "January 0"), (-2_203_891_200, "March 1900"),
            (-2_203_891_201, "February 1900"), (951_782_399, "February 2000"),
            (951_868_799, "February 2000"), (951_868_800, "March 2000"), (0, "January 1970"),
            (-1, "December 1969"), (1_709_251_199, "February 2024"), (1_709_251_200, "March 2024"),
            (4_102_444_799, "December 2099"), (4_107_542_399, "February 2100"),
            (4_107_542_400, "March 2100"),
        ]
        for (seconds, name) in months { #expect(Month(ofTime: seconds).name == name) }
        #expect(Month(ofTime: 0).number == 1970 * 12)
    }
}

extension [PictureKey] {
    /// Follows a change as a page does, which asks for what is new.
    fileprivate mutating func follow(_ change: RowsChange, _ now: [PictureKey]) {
        for range in change.removed.reversed() { removeSubrange(range) }
        for range in change.inserted { insert(contentsOf: now[range], at: range.lowerBound) }
    }
}
