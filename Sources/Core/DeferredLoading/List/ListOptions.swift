public import IdleLoop
public import ScrollModel

/// The options of a list, each with a default.
///
/// ```swift
/// let list = try DeferredList(
///     on: loop, viewport, source: thumbnails,
///     options: .init(rule: .within(rows: 3), onLeave: { row in cells[row].hide() })
/// ) { row in
///     row
/// } show: { row, state in
///     if let picture = state.shown { cells[row].show(picture) }
/// }
/// ```
///
/// An `Index` is what the list's own functions are given: `Int` for the position of a row in the whole
/// list, ``/ScrollModel/RowIndex`` for a section and a row in it, or ``/ScrollModel/ListElement`` for
/// headers and footers, too.
public struct ListOptions<Index> {
    /// The rule that selects the wanted rows.
    public var rule: any LoadingPolicy
    /// The scroller that moves the list; nil if it isn't known, and is to be identified from flings.
    public var scroller: Scroller?
    /// The workers for fetches, of a list with a loader of its own; nil for the workers of its source,
    /// ``LoadSource/pool``, or a pool of two if the source has none.
    public var pool: WorkerPool?
    /// The limits of what is kept and retried, of a list with a loader of its own.
    public var loader: LoaderConfiguration
    /// The queue in which values are loaded, of a list with a loader of its own.
    public var queue: QueueConfiguration
    /// The name of the list, in decisions.
    public var name: String
    /// The list's part of the work, beside other lists on its loader.
    public var weight: Int
    /// Whether the loop is in the mode ``/IdleLoop/LoopMode/tracking`` while a finger, a fling or the
    /// program moves the list, and in `default` again after.
    ///
    /// Queues whose modes are `default` then rest while the list moves. With several such lists, the
    /// loop is in `tracking` while any of them moves. A ``/IdleLoop/MainLoop/mode`` that is set
    /// meanwhile stays as it is set, until one of them begins to move after all have come to rest.
    /// A list notices by itself that it has come to rest, 160 ms after its last frame or event if it
    /// is told of none. One that is closed or released moves no more.
    public var tracksMode: Bool
    /// Called before rows are shown, when other rows come into view or the same rows may have other
    /// content, with all that are in view, from the top.
    ///
    /// Lay out a ``/ListCells/ReusePool`` here, by the rows' keys if rows are inserted and deleted. A
    /// value is kept as long as a row in view has its key.
    public var layout: ((_ indexes: [Index]) -> Void)?
    /// Called for each row that has left view, before others are shown.
    ///
    /// An edit gives rows other indexes: then it is called for each index that was in view, and isn't
    /// any more. A list that is closed doesn't call it.
    public var onLeave: ((_ index: Index) -> Void)?

    /// Creates options; what isn't given has its default.
    public init(
        rule: any LoadingPolicy = .value, scroller: Scroller? = nil, pool: WorkerPool? = nil,
        loader: LoaderConfiguration = .init(), queue: QueueConfiguration = .list,
        name: String = "", weight: Int = 1, tracksMode: Bool = false,
        layout: ((_ indexes: [Index]) -> Void)? = nil,
        onLeave: ((_ index: Index) -> Void)? = nil
    ) {
        self.rule = rule
        self.scroller = scroller
        self.pool = pool
        self.loader = loader
        self.queue = queue
        self.name = name
        self.weight = weight
        self.tracksMode = tracksMode
        self.layout = layout
        self.onLeave = onLeave
    }
}

extension QueueConfiguration {
    /// The configuration of a list's own queue: the defaults, and at most 30 waiting jobs.
    ///
    /// 30 rows are one to three screens. What is wanted beyond them waits in the loader, which submits
    /// the most urgent as soon as there is room: so nothing is lost, and a row that becomes urgent
    /// passes all that waits. More would be reordered at each frame, and isn't loaded sooner.
    public static var list: QueueConfiguration {
        var configuration = QueueConfiguration()
        configuration.limit = 30
        return configuration
    }
}
