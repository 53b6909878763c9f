/// The reason why a batch of updates is invalid; the list is unchanged.
public enum ListUpdateError: Error, Equatable, Sendable {
    /// The section of an update doesn't exist; the count is that before the batch for deletions,
    /// reloads and origins of moves, and after it for the others.
    case noSuchSection(ListUpdate, section: Int, count: Int)
    /// The row isn't in its section; the count is the section's number of rows, before or after the
    /// batch.
    case noSuchRow(ListUpdate, row: RowIndex, count: Int)
    /// Two updates have the same origin or the same target.
    case namedTwice(ListUpdate, ListUpdate)
    /// The row is deleted or inserted with its section, and must not be given.
    case impliedBySection(ListUpdate, ListUpdate)
    /// A new section has fewer rows than are inserted or moved into it, or a negative number.
    case tooFewRows(ListUpdate, moved: Int)
    /// With the rows of this section, or of all sections, there would be more than
    /// 2⁴⁰ sections and rows.
    case tooMany(ListUpdate)
    /// After the batch a section would have another number of rows than the program says, or the list
    /// another number of sections if `section` is nil.
    case unexpectedCount(section: Int?, count: Int, expected: Int)
    /// A height is invalid, the content is too large, or a section has an invalid number of rows.
    case height(ListElement, RowHeightsError)
}

extension ListUpdateError: CustomStringConvertible {
    /// The error, and what would be valid.
    public var description: String {
        switch self {
        case .noSuchSection(let call, let section, let count):
            "\(call.words): there is no section \(section); \(Self.numbers(count, "section"))"
        case .noSuchRow(let call, let row, let count):
            "\(call.words): there is no row \(row.words); \(Self.numbers(count, "row"))"
        case .namedTwice(let one, let other):
            "\(one.words), and \(other.words): one index, named twice"
        case .impliedBySection(let call, let section):
            "\(call.words): \(section.words) implies it; leave it out"
        case .tooFewRows(let call, let moved):
            "\(call.words): it has no fewer rows than the \(moved) that move in"
        case .tooMany(let call):
            "\(call.words): a list has no more than \(HeightSteps.maximumCount) sections and rows"
        case .unexpectedCount(let section, let count, let expected):
            (section.map { "section \($0) would have \(Self.amount(count, "row"))" }
                ?? "there would be \(Self.amount(count, "section"))") + ", not \(expected)"
        case .height(let element, let error):
            "\(element.words): \(error)"
        }
    }

    private static func amount(_ count: Int, _ what: String) -> String {
        count == 1 ? "1 \(what)" : "\(count) \(what)s"
    }

    private static func numbers(_ count: Int, _ what: String) -> String {
        count == 0 ? "there is no \(what)" : "\(what)s are numbered 0 to \(count - 1)"
    }
}
