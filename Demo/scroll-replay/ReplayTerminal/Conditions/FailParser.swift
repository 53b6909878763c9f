/// A parser of conditions with one token of look-ahead.
struct FailParser {
    private let text: String
    private let characters: [Character]
    private var place = 0
    private var depth = 0

    /// Returns whether a character is part of a word: a name, a number, a unit.
    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_.%".contains(character)
    }

    init(_ text: String) {
        self.text = text
        characters = text.map { $0.isWhitespace ? " " : $0 }
    }

    mutating func parse() throws(FailConditionError) -> FailCondition.Node {
        let node = try alternatives()
        skipSpace()
        guard place == characters.count else {
            throw wrong("expected 'and', 'or' or the end, and found '\(characters[place])'")
        }
        return node
    }

    private mutating func alternatives() throws(FailConditionError) -> FailCondition.Node {
        var node = try conjunction()
        while take(",") || take(word: "or") { node = .either(node, try conjunction()) }
        return node
    }

    private mutating func conjunction() throws(FailConditionError) -> FailCondition.Node {
        var node = try term()
        while take(word: "and") { node = .both(node, try term()) }
        return node
    }

    private mutating func term() throws(FailConditionError) -> FailCondition.Node {
        guard take("(") else { return .comparison(try comparison()) }
        depth += 1
        guard depth <= 64 else { throw wrong("parentheses nest 64 deep at most") }
        let node = try alternatives()
        depth -= 1
        guard take(")") else { throw wrong("expected ')'") }
        return node
    }

    private mutating func comparison() throws(FailConditionError) -> FailCondition.Comparison {
        skipSpace()
        let start = place
        let word = takeWord()
        guard !word.isEmpty else { throw wrong("expected the name of a figure", at: start) }
        guard let name = FigureName(word) else {
            throw wrong("no figure is called '\(word)'", at: start)
        }
        skipSpace()
        guard let relation = FailCondition.Relation.allCases.first(where: { take($0.rawValue) })
        else { throw wrong("expected one of > >= < <= == !=") }
        return .init(name: name, relation: relation, number: try number(for: name))
    }

    /// Parses a number in the figure's unit, with or without a unit of its own.
    private mutating func number(for name: FigureName) throws(FailConditionError) -> Double {
        skipSpace()
        let start = place
        let sign = take("-") ? -1.0 : 1
        let digits = takeWhile { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite else {
            throw wrong("expected a number", at: start)
        }
        skipSpace()
        let unitPlace = place
        let unit = peekWord()
        guard !unit.isEmpty, !["and", "or"].contains(unit.lowercased()) else {
            return sign * number
        }
        place += unit.count
        switch (unit, name.unit) {
        case ("%", .share): return sign * number / 100
        case (_, .time(let scale)):
            guard let own = FailParser.times[unit] else { break }
            return sign * number * own / scale
        default: break
        }
        throw wrong("'\(unit)' is no unit of \(name.text)", at: unitPlace)
    }

    private static let times: [String: Double] = [
        "ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9,
    ]

    // MARK: - Scanning

    private mutating func skipSpace() {
        while place < characters.count, characters[place] == " " { place += 1 }
    }

    private mutating func takeWhile(_ belongs: (Character) -> Bool) -> String {
        let taken = characters[place...].prefix(while: belongs)
        place += taken.count
        return String(taken)
    }

    private func peekWord() -> String {
        String(characters[place...].prefix(while: FailParser.isWord))
    }

    private mutating func takeWord() -> String { takeWhile(FailParser.isWord) }

    private mutating func take(_ symbol: String) -> Bool {
        skipSpace()
        guard characters[place...].starts(with: symbol) else { return false }
        place += symbol.count
        return true
    }

    private mutating func take(word: String) -> Bool {
        skipSpace()
        guard peekWord().lowercased() == word else { return false }
        place += word.count
        return true
    }

    private func wrong(_ reason: String, at place: Int? = nil) -> FailConditionError {
        FailConditionError(reason: reason, text: String(characters), place: place ?? self.place)
    }
}
