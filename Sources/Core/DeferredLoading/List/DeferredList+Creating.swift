public import IdleLoop
public import ScrollModel

// Lists that this process shows. Rows are told by their positions, by their indexes, or as elements.
extension DeferredList {
    /// A list with a loader and a queue of its own, whose rows in view are shown at once.
    ///
    /// The options' `layout`, `key` and `show` are called inside this initializer, for the rows in
    /// view: whatever they use must be there before. An object that owns its list creates it last.
    ///
    /// - Parameters:
    ///   - loop: the loop in whose lulls values are loaded.
    ///   - viewport: the rows, their heights, and the visible part of them.
    ///   - source: the source of the values.
    ///   - options: the rule, the limits, and all else that has a default.
    ///   - key: returns the key of the value of the row at a position; nil if there is nothing to load
    ///     for it.
    ///   - show: called with the state to show of a row in view.
    /// - Throws: if the process is out of descriptors or threads.
    public convenience init(
        on loop: MainLoop, _ viewport: Viewport, source: any LoadSource<Key, Value>,
        options: ListOptions<Int> = .init(), key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) throws(LoopError) {
        let loader = try Self.loader(on: loop, source, options)
        self.init(showing: viewport, by: loader, ownsLoader: true, options, Link(key), key, show)
    }

    /// A list with a loader and a queue of its own, whose rows are told by their sections.
    ///
    /// A rule's question about a row takes O(log n) more than in a list that tells positions.
    ///
    /// ```swift
    /// let list = try DeferredList(on: loop, sections: viewport, source: source) { index in
    ///     albums[index.section][index.row]
    /// } show: { index, state in
    ///     show(state.shown, at: index)
    /// }
    /// ```
    ///
    /// For the other parameters and errors, see ``init(on:_:source:options:key:show:)``.
    public convenience init(
        on loop: MainLoop, sections viewport: Viewport, source: any LoadSource<Key, Value>,
        options: ListOptions<RowIndex> = .init(), key: @escaping (_ row: RowIndex) -> Key?,
        show: @escaping (_ row: RowIndex, _ state: LoadState<Value>) -> Void
    ) throws(LoopError) {
        let loader = try Self.loader(on: loop, source, options)
        self.init(
            showing: viewport, by: loader, ownsLoader: true, options, Link(by: key), key, show)
    }

    /// A list with a loader and a queue of its own, which shows headers and footers, too.
    ///
    /// Headers and footers are wanted while they are in view, before all rows; the rule selects rows.
    /// Each frame asks the layout which of them are in view: O(log n), and O(1) for each element in
    /// view.
    ///
    /// ```swift
    /// let list = try DeferredList(on: loop, elements: viewport, source: source) { element in
    ///     switch element {
    ///     case .header(let section): covers[section]
    ///     case .row(let index): albums[index.section][index.row]
    ///     default: nil
    ///     }
    /// } show: { element, state in
    ///     show(state.shown, at: element)
    /// }
    /// ```
    ///
    /// For the other parameters and errors, see ``init(on:_:source:options:key:show:)``.
    public convenience init(
        on loop: MainLoop, elements viewport: Viewport, source: any LoadSource<Key, Value>,
        options: ListOptions<ListElement> = .init(),
        key: @escaping (_ element: ListElement) -> Key?,
        show: @escaping (_ element: ListElement, _ state: LoadState<Value>) -> Void
    ) throws(LoopError) {
        let loader = try Self.loader(on: loop, source, options)
        self.init(
            showing: viewport, by: loader, ownsLoader: true, options, Link(by: key), key, show)
    }

    /// A list that shares a loader with others, and gets a part of its work according to its options'
    /// `weight`.
    ///
    /// The options' `layout`, `key` and `show` are called inside this initializer, for the rows in
    /// view.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, _ viewport: Viewport,
        options: ListOptions<Int> = .init(), key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) {
        self.init(showing: viewport, by: loader, options, Link(key), key, show)
    }

    /// A list that shares a loader, and whose rows are told by their sections.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, sections viewport: Viewport,
        options: ListOptions<RowIndex> = .init(), key: @escaping (_ row: RowIndex) -> Key?,
        show: @escaping (_ row: RowIndex, _ state: LoadState<Value>) -> Void
    ) {
        self.init(showing: viewport, by: loader, options, Link(by: key), key, show)
    }

    /// A list that shares a loader, and shows headers and footers, too.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, elements viewport: Viewport,
        options: ListOptions<ListElement> = .init(),
        key: @escaping (_ element: ListElement) -> Key?,
        show: @escaping (_ element: ListElement, _ state: LoadState<Value>) -> Void
    ) {
        self.init(showing: viewport, by: loader, options, Link(by: key), key, show)
    }

    /// A list that shares a loader, has a tracker that was made for it, and is told of every frame,
    /// the first too.
    package convenience init(
        sharing loader: DeferredLoader<Key, Value>, _ tracker: ScrollTracker,
        options: ListOptions<Int> = .init(), key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) {
        self.init(loader, tracker, options, Link(key), pollsWhenIdle: false) {
            CellDisplay($0, of: loader, options, key, show)
        }
    }

    private convenience init<Index: ListIndex>(
        showing viewport: Viewport, by loader: DeferredLoader<Key, Value>,
        ownsLoader: Bool = false, _ options: ListOptions<Index>, _ link: Link,
        _ key: @escaping (Index) -> Key?, _ show: @escaping (Index, LoadState<Value>) -> Void
    ) {
        let tracker = ScrollTracker(viewport, scroller: options.scroller)
        self.init(loader, ownsLoader: ownsLoader, tracker, options, link) {
            CellDisplay($0, of: loader, options, key, show)
        }
    }

    private static func loader<Index>(
        on loop: MainLoop, _ source: any LoadSource<Key, Value>, _ options: ListOptions<Index>
    ) throws(LoopError) -> DeferredLoader<Key, Value> {
        let given = options.pool ?? source.pool
        let pool = if let given { given } else { try WorkerPool(width: 2, on: loop) }
        return DeferredLoader(
            queue: IdleQueue(on: loop, configuration: options.queue), pool: pool, source: source,
            configuration: options.loader)
    }
}

// Lists that are shown elsewhere.
extension DeferredList {
    /// A list whose rows another process shows, such as a page in a browser, and that shares a loader
    /// with others.
    ///
    /// ```swift
    /// let list = DeferredList(
    ///     sharing: loader, viewport, on: page.display, options: .init(name: page.name)
    /// ) { row in names[row] } send: { name, state in
    ///     if let picture = state.value { page.send(picture, name) }
    /// }
    /// for event in page.events { list.handle(event, at: now) }
    /// list.update()
    /// ```
    ///
    /// The display keeps what it was sent. So `send` is called once for each key that is wanted and
    /// loaded, or has failed for good, in view or not; what is loaded already is sent first. Then it
    /// isn't wanted any more, as long as the display has it.
    ///
    /// Events and changes are only noted, until ``update()`` asks the rule, once after all of them:
    /// its answer costs a hundred times what an event does. Call it after events and changes, and
    /// when ``onDue`` says so. Nothing is called inside this initializer.
    ///
    /// - Parameters:
    ///   - loader: the loader of the values.
    ///   - viewport: the rows, their heights, and the visible part of them.
    ///   - display: what the display has, the way to it, and how much may be loaded for it.
    ///   - options: the rule, the scroller, the name and the weight; nothing is laid out or told to have
    ///     left here.
    ///   - key: returns the key of a row's value; nil if there is nothing to load for it.
    ///   - send: called with the value or the failure of a key.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, _ viewport: Viewport,
        on display: RemoteDisplay<Key>, options: ListOptions<Int> = .init(),
        key: @escaping (_ row: Int) -> Key?,
        send: @escaping (_ key: Key, _ state: LoadState<Value>) -> Void
    ) {
        let tracker = ScrollTracker(viewport, scroller: options.scroller)
        self.init(loader, tracker, options, Link(key), on: display) {
            SendingDisplay($0, of: loader, display, send)
        }
    }
}

extension DeferredList {
    /// A weak reference to the list for closures that are made before it, and its `key` function
    /// while it is open.
    final class Link {
        weak var owner: DeferredList?
        /// Returns the key of the row at a position.
        private(set) var key: (Int) -> Key?
        private var elementKey: (ListElement, ListLayout) -> Key?

        /// A link of a list that tells positions, which rules give it, too.
        init(_ key: @escaping (Int) -> Key?) {
            self.key = key
            elementKey = { Int($0, in: $1).flatMap(key) }
        }

        /// A link of a list that tells other indexes.
        init<Index: ListIndex>(by key: @escaping (Index) -> Key?) {
            self.key = { _ in nil }
            elementKey = { Index($0, in: $1).flatMap(key) }
            self.key = { [unowned self] position in
                guard let list = owner?.viewport.list else { return nil }
                return Index(row: position, in: list).flatMap(key)
            }
        }

        /// Returns the key of an element.
        func key(of element: ListElement) -> Key? {
            owner.flatMap { elementKey(element, $0.viewport.list) }
        }

        /// Gives away the function, whose release may call back.
        func close() -> [Any?] {
            defer { (key, elementKey) = ({ _ in nil }, { _, _ in nil }) }
            return [key, elementKey]
        }
    }
}
