internal import ReplayText

/// A condition on the figures of a replay, such as `dropped > 0 or waste > 60%`.
///
/// Comparisons are joined by `and`, which binds closer, and by `or` or a comma; parentheses group.
/// A figure that a replay doesn't have satisfies nothing.
package struct FailCondition: Equatable, Sendable {
    /// A comparison operator.
    package enum Relation: String, CaseIterable, Sendable {
        case greaterOrEqual = ">="
        case lessOrEqual = "<="
        case equal = "=="
        case unequal = "!="
        case greater = ">"
        case less = "<"

        func holds(_ left: Double, _ right: Double) -> Bool {
            switch self {
            case .greaterOrEqual: left >= right
            case .lessOrEqual: left <= right
            case .equal: left == right
            case .unequal: left != right
            case .greater: left > right
            case .less: left < right
            }
        }
    }

    /// A comparison of a figure with a number in the figure's unit.
    struct Comparison: Equatable, Sendable {
        let name: FigureName
        let relation: Relation
        let number: Double
    }

    indirect enum Node: Equatable, Sendable {
        case comparison(Comparison)
        case both(Node, Node)
        case either(Node, Node)
    }

    /// The condition as it was written.
    package let text: String
    let root: Node

    /// Parses a condition; throws if `text` isn't one.
    package init(_ text: String) throws(FailConditionError) {
        self.text = text
        var parser = FailParser(text)
        root = try parser.parse()
    }

    /// Returns a text for each comparison that made the condition true, such as `dropped is 6 (>
    /// 0)`; nil if the condition is false.
    package func findings(_ member: (_ key: String) -> Double?) -> [String]? {
        findings(of: root, member)
    }

    private func findings(of node: Node, _ member: (String) -> Double?) -> [String]? {
        switch node {
        case .comparison(let comparison):
            finding(of: comparison, member).map { [$0] }
        case .both(let left, let right):
            if let first = findings(of: left, member), let second = findings(of: right, member) {
                first + second
            } else {
                nil
            }
        case .either(let left, let right):
            switch (findings(of: left, member), findings(of: right, member)) {
            case (let first?, let second?): first + second
            case (let first, let second): first ?? second
            }
        }
    }

    private func finding(of comparison: Comparison, _ member: (String) -> Double?) -> String? {
        let name = comparison.name
        guard let value = member(name.key).map({ name.value(of: $0) }),
            comparison.relation.holds(value, comparison.number)
        else { return nil }
        return "\(name.text) is \(brief(value, upTo: 6))\(name.suffix) "
            + "(\(comparison.relation.rawValue) \(brief(comparison.number, upTo: 6)))"
    }
}

/// A syntax error in a condition, with its place.
package struct FailConditionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason.
    package let reason: String
    /// The text.
    package let text: String
    /// The position in the text, counted in characters from 0.
    package let place: Int

    /// Creates an error with its reason and place.
    package init(reason: String, text: String, place: Int) {
        self.reason = reason
        self.text = text
        self.place = place
    }

    /// The reason, and the text with a caret under the place.
    package var description: String {
        "\(reason)\n  \(text)\n  \(String(repeating: " ", count: place))^"
    }
}
