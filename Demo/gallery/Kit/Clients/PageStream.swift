internal import GalleryWeb

/// A stream of events to a page, or its substitute in tests.
protocol PageStream: AnyObject {
    /// Whether events can be sent.
    var isOpen: Bool { get }
    /// The callback for the end of the stream, called once.
    var onClose: (() -> Void)? { get set }
    /// Sends an event; returns false if the stream has ended, or is closed now because the page
    /// doesn't read.
    @discardableResult
    func send(_ event: String, _ data: String) -> Bool
    /// Ends the stream.
    func close()
}

extension EventStream: PageStream {}
