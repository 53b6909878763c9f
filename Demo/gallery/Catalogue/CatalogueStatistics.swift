/// The counts of a catalogue.
public struct CatalogueStatistics: Hashable, Sendable {
    /// The number of known folders, including those without pictures.
    public internal(set) var folders = 0
    /// The number of folders with a watch.
    public internal(set) var watchedFolders = 0
    /// The number of folders that wait to be listed or are being listed.
    public internal(set) var waitingFolders = 0
    /// The number of names examined in folders.
    public internal(set) var entriesRead = 0
    /// The number of listings of a folder.
    public internal(set) var listings = 0
    /// The number of headers read, valid or not.
    public internal(set) var headersRead = 0
    /// The number of headers without a size.
    public internal(set) var headersFailed = 0
    /// The number of scans of all folders.
    public internal(set) var rescans = 0
    /// The number of times that the system lost events.
    public internal(set) var overflows = 0
}
