#if GTK4
internal import CLull
internal import CLullGTK4Host
public import DeferredLoading
public import IdleLoop
internal import ScrollModel

/// A list of GTK 4 whose items are loaded in lulls: a `GtkListView`, `GtkGridView` or
/// `GtkColumnView` in a scrolled window, with one call.
///
/// The package's trait `GTK4` brings it. The view's scrolling, frames, gestures and model are followed
/// from then on. An item is loaded when ``/DeferredLoading/DeferredList`` says so, and its state is shown
/// in the widget that is bound to it.
///
/// ```swift
/// let loop = try MainLoop(onGLib: nil)
/// let pictures = try GTKList<Picture>(following: grid, on: loop) { item in
///     PictureLoad(of: photo(item))
/// } show: { cell, state in
///     show(state.shown, in: cell.listItem)
/// }
/// ```
///
/// A widget never shows the value of another item: `show` is called with `placeholder` when a widget is
/// bound to an item whose value isn't there, and when it is unbound. Inside these calls, as inside the
/// signals of a factory, neither the model nor the factory is changed, and the view isn't destroyed.
@safe
public final class GTKList<Value> {
    /// The list, whose rows are the view's positions: for all that it can be asked.
    ///
    /// Nobody else scrolls or changes it.
    public let list: DeferredList<UInt64, Value>
    private let view: OpaquePointer

    /// Follows a view on GTK's thread, until the view is destroyed, or this object is closed or
    /// released.
    ///
    /// - Parameters:
    ///   - widget: The `GtkWidget`, which is a list view, a grid view or a column view.
    ///   - factory: The `GtkSignalListItemFactory` whose widgets show values; nil for the view's own, or
    ///     that of a column view's first column.
    ///   - loop: A guest of the default main context.
    ///   - options: The rule, the limits, and all else that has a default.
    ///   - load: Returns the load of an item, a `GObject` that is valid during the call.
    ///   - show: Shows the state of an item in the widget that is bound to it.
    /// - Throws: `invalid` if the widget is none of these, or has no such factory; the loop's errors.
    public init(
        following widget: UnsafeMutableRawPointer, factory: UnsafeMutableRawPointer? = nil,
        on loop: MainLoop, options: ListOptions<Int> = .init(),
        load: @escaping (_ item: UnsafeMutableRawPointer) throws -> any Load<Value>,
        show: @escaping (_ cell: GTKCell, _ state: LoadState<Value>) -> Void
    ) throws {
        let follower = Follower<Value>(show)
        let context = unsafe Unmanaged<ViewFollower>.passRetained(follower)
        var functions = unsafe lull_gtk_list(followedBy: context.toOpaque())
        guard
            let view = unsafe lull_gtk_view_new(
                OpaquePointer(widget), factory.map { OpaquePointer($0) }, &functions)
        else {
            unsafe context.release()
            throw GTKListError.notAList
        }
        unsafe (self.view, follower.view) = (view, view)
        do {
            let rows = try ListLayout(
                rowCounts: [0], estimates: .init(row: 44),
                flow: LineFlow(.fixed(columns: 1, height: 44), width: 1))
            list = try DeferredList(
                on: loop, Viewport(rows, height: 0),
                source: unsafe ItemSource(follower: follower, make: load), options: options
            ) { [weak follower] row in  // whoever keeps the list may ask it when the view is gone
                follower?.key(ofRow: row)
            } show: { [weak follower] row, _ in
                follower?.show(row)
            }
        } catch {
            unsafe lull_gtk_view_close(view)
            unsafe lull_gtk_view_unref(view)
            unsafe context.release()
            throw error
        }
        (follower.list, follower.loop) = (list, loop)
        unsafe lull_gtk_view_start(view)
    }

    deinit {
        close()
        unsafe lull_gtk_view_unref(view)
    }

    /// Detaches the list from its view, and closes it; also from inside a callback.
    public func close() {
        unsafe lull_gtk_view_close(view)
    }
}

/// A widget that is bound to an item.
@safe
public struct GTKCell {
    /// The `GtkListItem`, whose child shows the item.
    public let listItem: UnsafeMutableRawPointer
    /// The item, a `GObject`.
    public let item: UnsafeMutableRawPointer
    /// The position of the item.
    public let position: Int

    init(_ listItem: OpaquePointer, _ item: OpaquePointer, _ position: Int64) {
        unsafe self.listItem = UnsafeMutableRawPointer(listItem)
        unsafe self.item = UnsafeMutableRawPointer(item)
        self.position = Int(position)
    }
}

/// The reason why a view can't be followed.
public enum GTKListError: Error, Hashable {
    /// The widget is no list of GTK's, or has no factory of signals.
    case notAList
}

/// The loads of a view's items.
@safe
private struct ItemSource<Value>: LoadSource {
    weak var follower: ViewFollower?
    let make: (UnsafeMutableRawPointer) throws -> any Load<Value>

    func load(_ key: UInt64, fetched: Never?) throws -> any Load<Value> {
        guard let item = unsafe follower?.item(of: key) else { throw GTKListError.notAList }
        return try unsafe make(item)
    }
}

/// What a view tells a list of values.
@safe
private final class Follower<Value>: ViewFollower {
    var list: DeferredList<UInt64, Value>?
    var loop: MainLoop?
    private var display: ((GTKCell, LoadState<Value>) -> Void)?

    init(_ display: @escaping (GTKCell, LoadState<Value>) -> Void) { self.display = display }

    override func count() -> Int { list?.viewport.list.rowCount ?? 0 }

    override func update(row: Int, removed: Int, inserted: Int) {
        let rows = (row..<row + removed + inserted).map { RowIndex(section: 0, row: $0) }
        // The numbers are the view's own; nothing is wrong with them.
        _ = try? list?.perform(rows.map { removed > 0 ? .deleteRow($0) : .insertRow($0) })
    }

    override func arrange(columns: Int, line: Double) {
        let flow = LineFlow(.fixed(columns: columns, height: line), width: Double(columns))
        _ = try? list?.change { try $0.arrange(flow) }
    }

    override func resize(to height: Double) { list?.resized(to: height) }

    override func handle(_ event: ScrollEvent) { list?.handle(event) }

    override func scroll(to offset: Double, at time: Int64) {
        list?.scrolled(to: offset, at: Instant(nanoseconds: time))
    }

    override func expectFrame(at time: Int64) {
        loop?.expectFrame(at: Instant(nanoseconds: time))
    }

    override func get(_ row: inout lull_row, at position: Int) {
        guard let state = list?.state(ofRow: position) else { return }
        unsafe row.set(state)
    }

    override func show(_ cell: GTKCell, hasValue: Bool) {
        let state = hasValue ? list?.state(ofRow: cell.position) : nil
        display?(cell, state ?? .placeholder)
    }

    override func end() {
        list?.close()
        (list, loop, display) = (nil, nil, nil)
    }
}

extension lull_row {
    /// Tells states apart: a value itself isn't needed in C.
    fileprivate mutating func set<Value>(_ state: LoadState<Value>) {
        unsafe value = state.shown == nil ? nil : UnsafeMutableRawPointer(bitPattern: 1)
        unsafe share = -1
        switch state {
        case .placeholder: unsafe self.state = LULL_ROW_PLACEHOLDER
        case .queued: unsafe self.state = LULL_ROW_QUEUED
        case .fetching, .loading: unsafe self.state = LULL_ROW_LOADING
        case .refined(_, let share):
            unsafe self.state = LULL_ROW_REFINED
            unsafe self.share = share ?? -1
        case .loaded: unsafe self.state = LULL_ROW_LOADED
        case .failed: unsafe self.state = LULL_ROW_FAILED
        }
    }
}
#endif
