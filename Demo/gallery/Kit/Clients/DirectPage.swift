internal import DeferredLoading
package import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop

/// A page connected to the gallery without a network, for tests and soaks on virtual time.
///
/// Its reports and events are those of other pages.
package final class DirectPage {
    /// A stream that passes its events to a closure.
    final class Stream: PageStream {
        private(set) var isOpen = true
        var onClose: (() -> Void)?
        private let onEvent: (String, String) -> Void

        init(_ onEvent: @escaping (String, String) -> Void) {
            self.onEvent = onEvent
        }

        func send(_ event: String, _ data: String) -> Bool {
            if isOpen { onEvent(event, data) }
            return isOpen
        }

        func close() {
            guard isOpen else { return }
            isOpen = false
            onClose?()
        }
    }

    private weak var gallery: Gallery?
    private let client: Client
    private let stream: Stream

    /// Opens a page; nil if the gallery has no room for it.
    package init?(
        of gallery: Gallery, at address: String, by order: ListOrder = .name,
        onEvent: @escaping (_ name: String, _ data: String) -> Void
    ) {
        guard let client = gallery.clients.open(at: address, by: order) else { return nil }
        self.gallery = gallery
        self.client = client
        stream = Stream(onEvent)
        client.begin(stream)
    }

    /// Sends a report, as a query of `v`, `h` and `e`.
    ///
    /// - Returns: The status of the answer; once the gallery is closed, that for an unknown page.
    package func report(_ query: [String: String]) -> Int {
        gallery == nil ? 404 : client.take(query)
    }

    /// Returns the number of bytes of a picture; nil if it isn't available at once.
    package func fetch(_ key: String) -> Int? {
        guard let gallery, let key = PictureKey(text: key) else { return nil }
        let name = ThumbnailKey(picture: key, size: .row)
        guard let thumbnail = gallery.loader.state(of: name).value else { return nil }
        gallery.thumbnails.noteFetched(name)
        return thumbnail.byteCount
    }

    /// Closes the page, and reports that.
    package func leave() { gallery?.clients.remove(client) }

    /// Closes the stream without a report.
    package func vanish() { stream.close() }
}
