/// A change of a file while it is read.
enum FileChange {
    /// It ends earlier than it did.
    case shortened
    /// It was written to.
    case rewritten
    /// Another file has its name; the old one can be read on.
    case replaced
}
