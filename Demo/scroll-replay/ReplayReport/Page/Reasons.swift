/// A table of texts that occur often, each stored once and identified by its number.
struct Reasons {
    /// The texts, by number.
    private(set) var texts: [String] = []
    private var numbers: [String: Int] = [:]

    /// Returns the number of a text, from 1; 0 for none.
    mutating func number(of text: String?) -> Int {
        guard let text else { return 0 }
        if let number = numbers[text] { return number }
        texts.append(text)
        numbers[text] = texts.count
        return texts.count
    }
}
