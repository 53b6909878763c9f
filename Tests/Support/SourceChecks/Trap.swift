/// A place in a module at which a process may end.
public struct Trap: Hashable, Sendable {
    /// The module and the name of the file.
    let file: String
    /// The law that the trap states, or the line if it states none.
    let law: String

    private static let calls = [
        "precondition(", "preconditionFailure(", "fatalError(", "assertionFailure(", "assert(",
    ]
    private static let marks = ["try! ", "as! ", "unowned ", "unowned(", "[unowned"]

    /// Returns all traps below a module's folder, which has the module's name.
    static func all(in folder: String) throws -> [Trap] {
        let module = folder.split(separator: "/").last ?? ""
        return try Project.files(in: [folder], ending: ".swift").flatMap { file in
            try all(inFile: file, as: "\(module)/\(file.split(separator: "/").last ?? "")")
        }
    }

    /// Returns all traps of a file, but for those of `checkInvariants`, which only tests call, and for
    /// what all preconditions come to.
    private static func all(inFile file: String, as name: String) throws -> [Trap] {
        guard !file.hasSuffix("+Invariants.swift"), !file.hasSuffix("/Preconditions.swift") else {
            return []
        }
        let lines = try Project.lines(of: file)
        var traps: [Trap] = []
        var end: String?
        for (index, line) in lines.enumerated() {
            if let last = end {
                if line == last { end = nil }
                continue
            }
            let text = line.drop { $0 == " " }
            if text.contains("func checkInvariants(") {
                end = String(repeating: " ", count: line.count - text.count) + "}"
            } else if !text.hasPrefix("//") {
                if calls.contains(where: text.contains) {
                    let law = message(lines[index...]) ?? text
                    traps.append(Trap(file: name, law: String(law)))
                } else if marks.contains(where: text.contains) {
                    traps.append(Trap(file: name, law: String(text)))
                }
            }
        }
        return traps
    }

    /// The last string of a call that begins in the first of some lines; nil if there's none.
    private static func message(_ lines: ArraySlice<Substring>) -> Substring? {
        var call = ""
        for line in lines {
            call += line
            if call.count(where: { $0 == "(" }) <= call.count(where: { $0 == ")" }) { break }
        }
        let parts = call.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count > 2 ? parts[parts.count - 2] : nil
    }
}
