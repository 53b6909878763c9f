/// A table of heights: a row for each slot of a cache, a column for each width.
///
/// Widths are told apart by their value, whatever way up the screen is. A missing height is not a
/// number, so that 0 is a height like any other.
struct WidthColumns: Sendable {
    /// How many widths there's room for.
    let limit: Int

    private var widths: [Double?]
    /// When each column was asked for last.
    private var lastUses: [Int]
    private var uses = 0
    private var heights: [Double] = []

    init(limit: Int) {
        self.limit = limit
        widths = Array(repeating: nil, count: limit)
        lastUses = Array(repeating: 0, count: limit)
    }

    static func require(_ width: Double) {
        precondition(width.isFinite && width >= 0, "a row's width is finite, zero or more")
    }

    /// The height in a slot and column that have been used; nil if it's missing.
    subscript(slot: Int, column: Int) -> Double? {
        get {
            let height = heights[slot * limit + column]
            return height.isNaN ? nil : height
        }
        set { heights[slot * limit + column] = newValue ?? .nan }
    }

    /// The widths in use, that asked for last first.
    var recent: [Double] {
        widths.indices.sorted { lastUses[$0] > lastUses[$1] }.compactMap { widths[$0] }
    }

    /// The column of a width; O(widths).
    func column(of width: Double) -> Int? { widths.firstIndex(of: width) }

    /// The column that wasn't asked for for longest, if all are in use; O(widths).
    var oldest: Int? {
        guard !widths.contains(nil) else { return nil }
        return lastUses.indices.min { lastUses[$0] < lastUses[$1] }
    }

    /// The column of a width, which takes a vacant one if it has none; O(widths).
    mutating func column(for width: Double) -> Int {
        if let column = column(of: width) { return column }
        guard let vacant = widths.firstIndex(of: nil) else {
            preconditionFailure("a new width has a vacant column")
        }
        widths[vacant] = width
        touch(width)
        return vacant
    }

    /// Notes that a width was asked for; O(widths).
    mutating func touch(_ width: Double) {
        guard let column = column(of: width) else { return }
        uses += 1
        lastUses[column] = uses
    }

    /// Makes a column vacant; its heights are to be cleared by who knows the slots.
    mutating func remove(_ column: Int) {
        widths[column] = nil
        lastUses[column] = 0
    }

    /// Makes all heights of a slot, old or new, missing; O(widths).
    mutating func clear(slot: Int) {
        if slot * limit == heights.count {
            heights.append(contentsOf: repeatElement(.nan, count: limit))
        }
        for column in 0..<limit { self[slot, column] = nil }
    }

    /// Whether a slot has no height; O(widths).
    func isEmpty(slot: Int) -> Bool {
        (0..<limit).allSatisfy { self[slot, $0] == nil }
    }

    /// Checks that vacant columns have no heights, and that each width has one column.
    ///
    /// O(n), for tests.
    func checkInvariants(slots: [Int]) {
        let present = widths.compactMap(\.self)
        precondition(Set(present).count == present.count, "a width has one column")
        precondition(widths.count == limit, "there is a column for each width")
        for slot in slots {
            for column in 0..<limit where widths[column] == nil {
                precondition(self[slot, column] == nil, "a vacant column has no heights")
            }
        }
    }
}
