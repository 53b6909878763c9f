import ArgumentParser

/// A limit, as given on the command line: a number, or `none`.
struct LimitChoice: ExpressibleByArgument {
    /// The limit; nil if there is none.
    let limit: Int?

    init(_ limit: Int?) { self.limit = limit }

    init?(argument: String) {
        if argument == "none" {
            limit = nil
        } else if let number = Int(argument), (1...1_000_000_000).contains(number) {
            limit = number
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { limit.map(String.init) ?? "none" }

    static var completionKind: CompletionKind { .list(["none"]) }
}
