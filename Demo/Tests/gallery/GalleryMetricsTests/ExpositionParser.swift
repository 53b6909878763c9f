/// Reads Prometheus's text format 0.0.4, and takes nothing that isn't exactly as it should be.
///
/// It's stricter than the format: each family has a type, and stands in one piece; no line has a
/// time or a blank too many.
struct ExpositionParser {
    private var exposition = Exposition()
    private var help: (name: String, text: String)?
    private var number = 0

    static func parse(_ text: String) throws(ExpositionError) -> Exposition {
        var parser = ExpositionParser()
        guard text.isEmpty || text.hasSuffix("\n") else { throw .noNewlineAtEnd }
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.dropLast() {
            parser.number += 1
            try parser.read(String(line))
        }
        guard parser.help == nil else { throw .line(parser.number, .noType) }
        for family in parser.exposition.families { try family.check() }
        return parser.exposition
    }

    private mutating func read(_ line: String) throws(ExpositionError) {
        if line.hasPrefix("#") { return try readComment(line) }
        let sample = try sample(of: line)
        guard help == nil, let last = exposition.families.indices.last else {
            throw fault(.noType)
        }
        guard exposition.families[last].owns(sample) else { throw fault(.foreignSample) }
        let others = exposition.families[last].samples
        guard !others.contains(where: { $0.name == sample.name && $0.labels == sample.labels })
        else { throw fault(.sampleTwice) }
        exposition.families[last].samples.append(sample)
    }

    private mutating func readComment(_ line: String) throws(ExpositionError) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 4, parts[0] == "#", ["HELP", "TYPE"].contains(parts[1]) else {
            throw fault(.badComment)
        }
        let name = parts[2]
        guard isName(name, colons: true) else { throw fault(.badName) }
        guard exposition[name] == nil else { throw fault(.familyTwice) }
        if parts[1] == "HELP" {
            guard help == nil else { throw fault(.noType) }
            help = (name, try unescape(parts[3], quotes: false))
            return
        }
        guard ["counter", "gauge", "histogram"].contains(parts[3]) else {
            throw fault(.unknownKind)
        }
        guard help.map({ $0.name == name }) ?? true else { throw fault(.noType) }
        exposition.families.append(.init(name: name, help: help?.text, kind: parts[3]))
        help = nil
    }

    private func sample(of line: String) throws(ExpositionError) -> Exposition.Sample {
        guard let blank = line.lastIndex(of: " ") else { throw fault(.badValue) }
        let value = try value(of: String(line[line.index(after: blank)...]))
        let head = line[..<blank]
        guard let brace = head.firstIndex(of: "{") else {
            guard isName(String(head), colons: true) else { throw fault(.badName) }
            return .init(name: String(head), labels: [:], value: value)
        }
        let name = String(head[..<brace])
        guard isName(name, colons: true) else { throw fault(.badName) }
        guard head.hasSuffix("}") else { throw fault(.badLabels) }
        return .init(
            name: name, labels: try labels(of: head[head.index(after: brace)...].dropLast()),
            value: value)
    }

    private func labels(of text: Substring) throws(ExpositionError) -> [String: String] {
        var labels: [String: String] = [:]
        var rest = text.unicodeScalars[...]
        while true {
            guard let equals = rest.firstIndex(of: "="),
                rest[equals...].dropFirst().first == "\""
            else { throw fault(.badLabels) }
            let name = String(rest[..<equals])
            guard isName(name, colons: false), !name.hasPrefix("__") else { throw fault(.badName) }
            rest = rest[equals...].dropFirst(2)
            var isEscaped = false
            guard
                let end = rest.firstIndex(where: { scalar in
                    defer { isEscaped = scalar == "\\" && !isEscaped }
                    return scalar == "\"" && !isEscaped
                })
            else { throw fault(.badLabels) }
            let value = try unescape(String(rest[..<end]), quotes: true)
            guard labels.updateValue(value, forKey: name) == nil else { throw fault(.badLabels) }
            rest = rest[end...].dropFirst()
            if rest.isEmpty { return labels }
            guard rest.first == "," else { throw fault(.badLabels) }
            rest = rest.dropFirst()
        }
    }

    private func value(of text: String) throws(ExpositionError) -> Double {
        switch text {
        case "NaN": return .nan
        case "+Inf": return .infinity
        case "-Inf": return -.infinity
        default:
            let isPlain = text.unicodeScalars.allSatisfy {
                "0123456789+-.e".unicodeScalars.contains($0)
            }
            guard isPlain, let value = Double(text) else { throw fault(.badValue) }
            return value
        }
    }

    private func unescape(_ text: String, quotes: Bool) throws(ExpositionError) -> String {
        var result = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch scalars.next() {
            case "n": result.append("\n")
            case "\\": result.append("\\")
            case "\"" where quotes: result.append("\"")
            default: throw fault(.badEscape)
            }
        }
        return String(result)
    }

    private func isName(_ text: String, colons: Bool) -> Bool {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_" + (colons ? ":" : "")
        guard let first = text.unicodeScalars.first, letters.unicodeScalars.contains(first)
        else { return false }
        return text.unicodeScalars.allSatisfy {
            (letters + "0123456789").unicodeScalars.contains($0)
        }
    }

    private func fault(_ fault: ExpositionError.Fault) -> ExpositionError { .line(number, fault) }
}
