import ImageLoading

@testable import ImageFormatsHEIF

/// A file that a test puts together.
struct Boxes {
    struct Item {
        var type = "hvc1"
        var properties: [[UInt8]]
        var data: [UInt8]
    }

    /// By their numbers, from 1 on.
    var items: [Item] = []
    var primary = 1
    var references: [(kind: String, from: Int, to: [Int])] = []
    var brand = "heic"
    /// The compatible brands.
    var brands = ""
    /// Boxes before the box `meta`.
    var before: [UInt8] = []
    /// Boxes within the box `meta`, before those that it needs.
    var inside: [UInt8] = []

    /// The coded picture of a file: the first that isn't a grid.
    static func item(of file: [UInt8]) throws -> Item {
        let file = try HEIFFile(testFile(file))
        let items = file.table.items
        let number = items.keys.sorted().first { items[$0]?.type != "grid" }!
        let item = items[number]!
        return Item(
            type: item.type,
            properties: item.properties.map { Array(file.table.properties[$0].bytes) },
            data: try file.data(of: number, atMost: 1 << 20))
    }

    var bytes: [UInt8] {
        let type = box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + brands.utf8)
        let start = type.count + before.count + meta(dataAt: 0).count + 8
        return type + before + meta(dataAt: start) + box("mdat", items.flatMap(\.data))
    }

    private func meta(dataAt start: Int) -> [UInt8] {
        let properties = items.flatMap(\.properties)
        var (entries, locations, associations) = ([UInt8](), [UInt8](), [UInt8]())
        var (position, property) = (start, 0)
        for (index, item) in items.enumerated() {
            entries += full("infe", 2, number(index + 1, 2) + [0, 0] + item.type.utf8 + [0])
            locations += number(index + 1, 2) + [0, 0, 0, 1] + number(position, 4)
            locations += number(item.data.count, 4)
            position += item.data.count
            associations += number(index + 1, 2) + [UInt8(item.properties.count)]
            for _ in item.properties {
                property += 1
                associations += number(property, 2)
            }
        }
        var content = inside + full("pitm", 0, number(primary, 2))
        content += full("iinf", 0, number(items.count, 2) + entries)
        content += full("iloc", 0, [0x44, 0] + number(items.count, 2) + locations)
        let ipma: [UInt8] = [0, 0, 0, 1] + number(items.count, 4) + associations
        content += box("iprp", box("ipco", Array(properties.joined())) + box("ipma", ipma))
        let references = references.flatMap { reference in
            box(
                reference.kind,
                number(reference.from, 2) + number(reference.to.count, 2)
                    + reference.to.flatMap { number($0, 2) })
        }
        content += full("iref", 0, references)
        return full("meta", 0, content)
    }
}

/// A box of a name.
func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(8 + content.count, 4) + name.utf8 + content
}

/// A box with a version.
func full(_ name: String, _ version: UInt8, _ content: [UInt8]) -> [UInt8] {
    box(name, [version, 0, 0, 0] + content)
}

func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

/// A property that tells a size.
func size(_ width: Int, _ height: Int) -> [UInt8] {
    full("ispe", 0, number(width, 4) + number(height, 4))
}

extension Boxes {
    /// Tiles of one item, laid out as a grid with a size; the grid comes last.
    static func grid(
        _ tile: Item, _ columns: Int, _ rows: Int, _ width: Int, _ height: Int
    ) -> Boxes {
        let count = columns * rows
        let layout =
            [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + number(width, 2) + number(height, 2)
        let grid = Item(type: "grid", properties: [size(width, height)], data: layout)
        return Boxes(
            items: [Item](repeating: tile, count: count) + [grid], primary: count + 1,
            references: [("dimg", count + 1, Array(1...count))])
    }
}
