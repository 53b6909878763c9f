/// Why a batch of updates cannot be; the list is as it was.
public enum ListUpdateError: Error, Equatable, Sendable {
    /// The origin or target of a call is in no section: there are so many, before the batch for
    /// what is deleted, reloaded or moved away, after it for the rest.
    case noSuchSection(ListUpdates.Call, section: Int, count: Int)
    /// The row isn't in its section, which has so many rows, before the batch or after it.
    case noSuchRow(ListUpdates.Call, row: RowIndex, count: Int)
    /// Two calls name the same row or section as what goes or changes, or as where something comes.
    case namedTwice(ListUpdates.Call, ListUpdates.Call)
    /// The row goes with its section, or with that section's reload, and isn't to be named.
    case impliedBySection(ListUpdates.Call, ListUpdates.Call)
    /// A new section has fewer rows than come into it, or less than none.
    case tooFewRows(ListUpdates.Call, moved: Int)
    /// With the rows of this section, or with all sections, there would be too many; a list has
    /// ``ListLayout/maximumCount`` at most.
    case tooMany(ListUpdates.Call)
    /// The calls leave so many sections, and not as many as are expected.
    case sectionCount(expected: Int, found: Int)
    /// The calls leave a section with so many rows, and not with as many as are expected.
    case rowCount(RowCount)
    /// A height that cannot be, or too large a content.
    case height(ListElement, RowHeightsError)

    /// What the calls do to a section, and what was expected.
    public struct RowCount: Equatable, Sendable {
        /// The section's index after the batch.
        public var section: Int
        /// How many rows it should have.
        public var expected: Int
        /// How many it had; nil for a new one.
        public var before: Int?
        /// How many rows are deleted or move away.
        public var gone: Int
        /// How many rows are inserted or move in.
        public var come: Int
        /// How many it would have.
        public var found: Int
    }
}

extension ListUpdateError: CustomStringConvertible {
    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .noSuchSection(let call, let section, let count):
            "\(call): there is no section \(section); \(Self.numbers(count, "section"))"
        case .noSuchRow(let call, let row, let count):
            "\(call): there is no row \(row); \(Self.numbers(count, "row"))"
        case .namedTwice(let one, let other):
            "\(one), and \(other): one index, named twice"
        case .impliedBySection(let call, let section):
            "\(call): \(section) implies it; leave it out"
        case .tooFewRows(let call, let moved):
            "\(call): it has no fewer rows than the \(moved) that move in"
        case .tooMany(let call):
            "\(call): a list has no more than \(ListLayout.maximumCount) sections and rows"
        case .sectionCount(let expected, let found):
            "the calls leave \(found) sections, not \(expected)"
        case .rowCount(let count):
            "section \(count.section): the calls leave \(count.found) rows"
                + " (\(count.before.map(String.init) ?? "new"), \(count.gone) gone,"
                + " \(count.come) come), not \(count.expected)"
        case .height(let element, let error):
            "\(element): \(error)"
        }
    }

    private static func numbers(_ count: Int, _ what: String) -> String {
        count == 0 ? "there is no \(what)" : "\(what)s are numbered 0 to \(count - 1)"
    }
}
