import ImageLoading

/// The content of a file's `meta` box: its items, their properties, and their references.
///
/// The box is in memory and at most 256 KB long, which bounds the work, as no byte is read twice.
struct ItemTable {
    /// A picture, a part of one, or metadata.
    struct Item {
        let type: String
        /// The indexes of its properties in the table, in the order in which they apply.
        fileprivate(set) var properties: [Int] = []
        /// The first property that states the size, the decoder's configuration, and the type of an
        /// auxiliary picture.
        fileprivate(set) var size, configuration, auxiliary: Int?
        /// The ranges of the item's bytes.
        fileprivate(set) var extents: [Range<Int>] = []
        /// Whether the extents are in the table's own data, and not in the file.
        fileprivate(set) var isInTable = false
        /// The name of an essential property that isn't supported.
        fileprivate(set) var unknownProperty: String?

        /// The name of the box that configures the decoder.
        var configurationName: String { type == "av01" ? "av1C" : "hvcC" }

        fileprivate mutating func add(_ property: Int, _ name: String) {
            properties.append(property)
            switch name {
            case "ispe": size = size ?? property
            case "auxC": auxiliary = auxiliary ?? property
            case configurationName: configuration = configuration ?? property
            default: break
            }
        }
    }

    private static let maxItems = 4096
    /// The maximum number of properties of one item.
    private static let maxProperties = 100

    /// The primary item of the file.
    let primary: Int
    private(set) var items: [Int: Item] = [:]
    let properties: [Box]
    /// The items that an item refers to, by the type of reference.
    private var references: [String: [Int: [Int]]] = [:]
    /// The data of items that are stored in the table itself.
    let data: ArraySlice<UInt8>

    /// Reads the content of a `meta` box.
    init(_ content: ArraySlice<UInt8>) throws(PictureError.Reason) {
        var reader = BoxReader(content)
        _ = try reader.number(4)
        var boxes: [String: Box] = [:]
        for box in try reader.boxes() where boxes[box.name] == nil { boxes[box.name] = box }
        func box(_ name: String) throws(PictureError.Reason) -> Box {
            guard let box = boxes[name] else { throw .corrupt("no box \(name)") }
            return box
        }
        let pitm = try box("pitm").versioned()
        var rest = pitm.reader
        primary = try rest.number(pitm.version == 0 ? 2 : 4)
        data = boxes["idat"]?.content ?? []
        var iprp = try box("iprp").reader
        let associations = try iprp.boxes()
        guard var ipco = associations.first(where: { $0.name == "ipco" })?.reader else {
            throw .corrupt("no box ipco")
        }
        properties = try ipco.boxes()
        try readItems(box("iinf"))
        try readLocations(box("iloc"))
        for box in associations where box.name == "ipma" { try readAssociations(box) }
        // A picture that needs no other can be shown without them.
        if let box = boxes["iref"] { try? readReferences(box) }
    }

    /// Returns the items that an item refers to.
    func references(_ kind: String, from item: Int) -> [Int] { references[kind]?[item] ?? [] }

    /// Returns the items that refer to an item, in the order of their numbers.
    func references(_ kind: String, to item: Int) -> [Int] {
        (references[kind] ?? [:]).filter { $0.value.contains(item) }.keys.sorted()
    }

    /// Returns the properties of an item with the given name.
    func properties(_ name: String, of item: Int) -> [Box] {
        (items[item]?.properties ?? []).map { properties[$0] }.filter { $0.name == name }
    }

    private mutating func readItems(_ box: Box) throws(PictureError.Reason) {
        var (version, _, reader) = try box.versioned()
        let count = try reader.number(version == 0 ? 2 : 4)
        guard count <= Self.maxItems else { throw .corrupt("\(count) items") }
        for _ in 0..<count {
            var (version, _, entry) = try reader.box().versioned()
            // In older versions, items have no type.
            guard version >= 2 else { continue }
            let number = try entry.number(version == 2 ? 2 : 4)
            guard items[number] == nil else { throw .corrupt("two items of one number") }
            _ = try entry.number(2)
            items[number] = Item(type: try entry.name())
        }
    }

    private mutating func readLocations(_ box: Box) throws(PictureError.Reason) {
        var (version, _, reader) = try box.versioned()
        let sizes = try reader.number(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        // Without a length, an extent would be the whole file, and take no byte to declare.
        guard lengthSize > 0, max(offsetSize, lengthSize, baseSize, indexSize) <= 8 else {
            throw .corrupt("a box iloc whose numbers have no size")
        }
        for _ in 0..<(try reader.number(version < 2 ? 2 : 4)) {
            let number = try reader.number(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try reader.number(2) & 15
            let file = try reader.number(2)
            let base = try reader.number(baseSize)
            var extents: [Range<Int>] = []
            for _ in 0..<(try reader.number(2)) {
                _ = try reader.number(indexSize)
                let (start, isBeyond) = base.addingReportingOverflow(try reader.number(offsetSize))
                let (end, isFarBeyond) = start.addingReportingOverflow(
                    try reader.number(lengthSize))
                guard !isBeyond, !isFarBeyond else { throw .corrupt("an item beyond all files") }
                if start < end { extents.append(start..<end) }
            }
            // An item in another file, or within another item, is ignored.
            guard method < 2, file == 0 else { continue }
            items[number]?.extents = extents
            items[number]?.isInTable = method == 1
        }
    }

    private mutating func readAssociations(_ box: Box) throws(PictureError.Reason) {
        var (version, flags, reader) = try box.versioned()
        let isWide = flags & 1 == 1
        for _ in 0..<(try reader.number(4)) {
            let number = try reader.number(version == 0 ? 2 : 4)
            let count = try reader.number(1)
            // The properties of a missing item are read too.
            var item = items[number] ?? Item(type: "")
            guard item.properties.isEmpty, count <= Self.maxProperties else {
                throw .corrupt("an item of too many properties")
            }
            for _ in 0..<count {
                let value = try reader.number(isWide ? 2 : 1)
                let index = value & (isWide ? 0x7FFF : 0x7F)
                guard index > 0 else { continue }
                let isEssential = value != index
                let name = index <= properties.count ? properties[index - 1].name : nil
                if isEssential, name.map(Self.known.contains) != true {
                    item.unknownProperty = name ?? "property \(index)"
                } else if let name {
                    item.add(index - 1, name)
                }
            }
            items[number]? = item
        }
    }

    /// The properties that are supported, or that can be ignored.
    private static let known: Set = [
        "a1lx", "a1op", "auxC", "av1C", "clap", "colr", "hvcC", "imir", "irot", "ispe", "lsel",
        "pasp", "pixi",
    ]

    private mutating func readReferences(_ box: Box) throws(PictureError.Reason) {
        var (version, _, reader) = try box.versioned()
        let size = version == 0 ? 2 : 4
        while !reader.rest.isEmpty {
            let box = try reader.box()
            var entry = box.reader
            let item = try entry.number(size)
            var targets: [Int] = []
            for _ in 0..<(try entry.number(2)) { targets.append(try entry.number(size)) }
            references[box.name, default: [:]][item, default: []] += targets
        }
    }
}
