/// The objects of a JSON text that are used, extracted while it is being parsed.
///
/// An item is an object at the top level, in a top-level array of items, or in such an array in one
/// of the members `streams` of an item. Of an item, the members named in `kept` are kept, at all
/// depths; everything else is skipped as it is parsed.
final class JSONItems {
    /// An item, and the byte at which it ends.
    struct Item {
        let node: JSONNode
        let byte: Int
    }

    private enum Level {
        case stream
        case list([JSONNode])
        case members([JSONNode.Member], isItem: Bool)
    }

    /// The complete items that haven't been taken.
    private var ready: [Item] = []
    /// An error in the text other than one of syntax.
    private(set) var failure: FormatError?
    /// The names of all members of the first items, kept or not, in their order.
    private(set) var firstNames: [String] = []
    /// Whether an array at the top or in a stream is open.
    var isOpen: Bool { levels.count > 1 || skipped > 0 }
    /// Whether only a top-level array is open.
    var isInTopArray: Bool {
        guard levels.count == 2, skipped == 0, case .stream = levels[1] else { return false }
        return true
    }
    /// The number of calls so far.
    private(set) var calls = 0

    private let kept: [(bytes: [UInt8], name: String)]
    private let streams: Set<String>
    private var levels: [Level] = [.stream]
    private var name: String?
    // The depth inside a value that is skipped.
    private var skipped = 0
    private var nodes = 0
    private var items = 0

    /// The maximum depth: more than any page or any item has.
    private static let deepest = 4096
    private static let mostNodes = 65_536

    init(keeping kept: [String], streams: Set<String>) {
        self.kept = kept.map { (Array($0.utf8), $0) }
        self.streams = streams
    }

    /// Returns the items that were completed since the last call.
    func takeReady() -> [Item] {
        defer { ready.removeAll(keepingCapacity: true) }
        return ready
    }

    /// Adds a value without parts.
    func scalar(_ node: @autoclosure () -> JSONNode) -> Bool {
        calls += 1
        return skipped > 0 || add(node())
    }

    /// Begins an array or an object.
    func open(isArray: Bool) -> Bool {
        calls += 1
        guard levels.count + skipped < Self.deepest else {
            return refuse("more than \(Self.deepest) values inside each other")
        }
        guard skipped == 0 else {
            skipped += 1
            return true
        }
        switch levels[levels.count - 1] {
        case .stream:
            levels.append(isArray ? .stream : .members([], isItem: true))
            nodes = 0
        case .members(_, let isItem):
            guard let name else {
                skipped = 1
                return true
            }
            if isArray, isItem, streams.contains(name) {
                levels.append(.stream)
                self.name = nil
            } else {
                levels.append(isArray ? .list([]) : .members([], isItem: false))
                names.append(name)
                self.name = nil
            }
        case .list:
            levels.append(isArray ? .list([]) : .members([], isItem: false))
            names.append(nil)
        }
        return true
    }

    // The names of the members whose values are open.
    private var names: [String?] = []

    /// Ends an array or an object, at a byte of the text.
    func close(at byte: Int) -> Bool {
        calls += 1
        guard skipped == 0 else {
            skipped -= 1
            return true
        }
        guard levels.count > 1, let level = levels.popLast() else { return true }
        switch level {
        case .stream: return true
        case .list(let elements):
            name = names.popLast() ?? nil
            return add(.list(elements))
        case .members(let members, let isItem):
            guard isItem else {
                name = names.popLast() ?? nil
                return add(.members(members))
            }
            items += 1
            if !members.isEmpty { ready.append(Item(node: .members(members), byte: byte)) }
            return true
        }
    }

    /// Sets the name of the next member.
    func key(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        calls += 1
        guard skipped == 0 else { return true }
        if items < 2, case .members(_, isItem: true) = levels[levels.count - 1],
            firstNames.count < 64, bytes.count < 64
        {
            let name = unsafe String(decoding: bytes, as: UTF8.self)
            if !firstNames.contains(name) { firstNames.append(name) }
        }
        name = nil
        for (candidate, text) in kept where candidate.count == bytes.count {
            if unsafe candidate.elementsEqual(bytes) { name = text }
        }
        return true
    }

    private func add(_ node: JSONNode) -> Bool {
        switch levels[levels.count - 1] {
        case .stream: return true
        case .list(var elements):
            levels[levels.count - 1] = .stream
            elements.append(node)
            levels[levels.count - 1] = .list(elements)
        case .members(var members, let isItem):
            guard let name else { return true }
            levels[levels.count - 1] = .stream
            members.append(.init(name: name, value: node))
            levels[levels.count - 1] = .members(members, isItem: isItem)
            self.name = nil
        }
        nodes += 1
        return nodes <= Self.mostNodes || refuse("an event of more than \(Self.mostNodes) values")
    }

    private func refuse(_ found: String) -> Bool {
        failure = FormatError(found: found, expected: "events of a recording")
        return false
    }
}
