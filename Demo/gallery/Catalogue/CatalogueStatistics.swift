/// The counts of a catalogue.
public struct CatalogueStatistics: Hashable, Sendable {
    /// Folders it knows, those without pictures included.
    public internal(set) var folders = 0
    /// Folders whose changes the system tells of.
    public internal(set) var watchedFolders = 0
    /// Folders that are to be listed, or are being listed.
    public internal(set) var waitingFolders = 0
    /// Folders that can't be read.
    public internal(set) var unreadableFolders = 0
    /// Names that were looked at in folders, all in each that was listed.
    public internal(set) var entriesRead = 0
    /// Times a folder was listed.
    public internal(set) var listings = 0
    /// Headers that were read, whether or not they made sense.
    public internal(set) var headersRead = 0
    /// Headers that gave no size.
    public internal(set) var headersFailed = 0
    /// Times all folders were looked through anew.
    public internal(set) var rescans = 0
    /// Times the system lost count of what it had to tell.
    public internal(set) var overflows = 0
}
