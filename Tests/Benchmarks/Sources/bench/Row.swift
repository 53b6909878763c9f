/// A figure's median over the rounds, and its ratio to its reference.
struct Row: Encodable {
    let line: Line
    let ratio: Double?

    private enum Keys: CodingKey {
        case workload, contender, variant, value, unit, ratio
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(line.workload.rawValue, forKey: .workload)
        try container.encode(line.contender, forKey: .contender)
        try container.encode(line.variant, forKey: .variant)
        try container.encode(line.value, forKey: .value)
        try container.encode(line.unit, forKey: .unit)
        // Null, not left out, where there is no reference.
        try container.encode(ratio, forKey: .ratio)
    }
}
