/// A table of texts that occur often, each stored once and identified by its number.
struct TextTable {
    /// The texts, by number.
    private(set) var all: [String] = []
    private var numbers: [String: Int] = [:]

    /// Returns the number of a text.
    mutating func number(of text: String) -> Int {
        if let number = numbers[text] { return number }
        numbers[text] = all.count
        all.append(text)
        return all.count - 1
    }
}
