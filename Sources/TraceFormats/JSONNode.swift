/// A JSON value, cut down to the members that a reader asked for.
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
    /// A Boolean, null, or a text too long to matter.
    case other

    /// A member's value, the first if there are several.
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

    /// The elements of a list; none of anything else.
    var elements: [JSONNode] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// A number as an integer of so many units to its one, if that is within ±4 × 10¹⁸.
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
}
