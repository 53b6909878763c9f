/// The order of a list's pictures.
public enum ListOrder: String, CaseIterable, Sendable {
    /// By folder, and in each by name.
    case name
    /// By the date at which they were taken, the newest first, in sections by month.
    case date
}
