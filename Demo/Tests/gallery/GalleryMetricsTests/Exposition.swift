/// What a text in Prometheus's format says, as the strict parser has read it.
struct Exposition: Equatable {
    /// A line with a value.
    struct Sample: Equatable {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    /// The lines that belong together.
    struct Family: Equatable {
        var name: String
        var help: String?
        var kind: String
        var samples: [Sample] = []
    }

    var families: [Family] = []

    /// The family of a name.
    subscript(_ name: String) -> Family? {
        families.first { $0.name == name }
    }

    /// The value of the only line of this name and these labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let found = families.flatMap(\.samples).filter { $0.name == name && $0.labels == labels }
        return found.count == 1 ? found[0].value : nil
    }
}
