import ScrollModel

/// A JSON value, reduced to the members that a reader asked for.
enum JSONNode: Equatable {
    /// A member of an object.
    struct Member: Equatable {
        let name: String
        let value: JSONNode
    }

    case number(Double)
    case text(String)
    case list([JSONNode])
    case members([Member])
    /// A Boolean, null, or a string that is too long to be of use.
    case other

    /// Returns a member's value, the first if there are several.
    subscript(_ name: String) -> JSONNode? {
        guard case .members(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var number: Double? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    /// The elements of a list; empty for any other value.
    var elements: [JSONNode] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// Returns a number times `units`, rounded to an integer, if that is within ±4 × 10¹⁸.
    func scaled(by units: Int64) -> Int64? {
        guard let number, let whole = Int64(exactly: number.rounded(.towardZero)) else {
            return nil
        }
        let rest = Int64(((number - Double(whole)) * Double(units)).rounded())
        let (product, isTooLarge) = whole.multipliedReportingOverflow(by: units)
        let (sum, isTooLargeToo) = product.addingReportingOverflow(rest)
        guard !isTooLarge, !isTooLargeToo, sum.magnitude <= 4_000_000_000_000_000_000 else {
            return nil
        }
        return sum
    }

    /// Returns the time in a member, a number of units of so many ns.
    ///
    /// Throws if there's none, or if it's out of the range of times; `meaning` says what it is.
    func time(
        _ name: String, unit: Int64, meaning: String
    ) throws(FormatError) -> Instant {
        let expected = "\"\(name)\" to be \(meaning)"
        guard let value = self[name], let number = value.number else {
            throw FormatError(found: "an event without a time", expected: expected)
        }
        guard let ticks = value.scaled(by: unit) else {
            throw FormatError(found: "time \(plain(number))", expected: expected)
        }
        return Instant(nanoseconds: ticks)
    }
}
