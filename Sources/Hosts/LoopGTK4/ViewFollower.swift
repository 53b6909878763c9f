#if GTK4
internal import CLull
internal import CLullGTK4Host
internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// A list of any values, as C tells it of a view.
@safe
class ViewFollower {
    var view: OpaquePointer?

    func count() -> Int { 0 }
    func update(row: Int, removed: Int, inserted: Int) {}
    func arrange(columns: Int, line: Double) {}
    func resize(to height: Double) {}
    func handle(_ event: ScrollEvent) {}
    func scroll(to offset: Double, at time: Int64) {}
    func expectFrame(at time: Int64) {}
    func get(_ row: inout lull_row, at position: Int) {}
    func show(_ cell: GTKCell, hasValue: Bool) {}
    func end() {}

    /// Returns the key of a row; nil if there is no such item.
    final func key(ofRow row: Int) -> UInt64? {
        let key = unsafe lull_gtk_view_key(view, Int64(row))
        return key == .max ? nil : key
    }

    final func item(of key: UInt64) -> UnsafeMutableRawPointer? {
        unsafe lull_gtk_view_item(view, key).map { unsafe UnsafeMutableRawPointer($0) }
    }

    /// Shows a row in the widgets that are bound to it.
    final func show(_ row: Int) { unsafe lull_gtk_view_show(view, Int64(row)) }
}

/// The object that a context of C is.
private func follower(_ context: UnsafeMutableRawPointer?) -> ViewFollower? {
    unsafe context.map { unsafe Unmanaged<ViewFollower>.fromOpaque($0).takeUnretainedValue() }
}

extension lull_gtk_list {
    /// The functions that call a follower, which is retained until the view has ended.
    init(followedBy context: UnsafeMutableRawPointer) {
        unsafe self.init()
        unsafe self.context = context
        unsafe count = { context in unsafe Int64(follower(context)?.count() ?? 0) }
        unsafe update = { row, removed, inserted, context in
            unsafe follower(context)?.update(
                row: Int(row), removed: Int(removed), inserted: Int(inserted))
            return true
        }
        unsafe arrange = { columns, line, context in
            unsafe follower(context)?.arrange(columns: Int(columns), line: line)
        }
        unsafe resize = { height, context in unsafe follower(context)?.resize(to: height) }
        unsafe input = { input, y, context in
            let event: ScrollEvent? =
                switch input {
                case LULL_INPUT_DOWN: .down(y: y)
                case LULL_INPUT_MOVED: .moved(y: y)
                case LULL_INPUT_UP: .up(y: y)
                case LULL_INPUT_CANCELLED: .cancelled
                case LULL_INPUT_WHEEL: .wheel
                case LULL_INPUT_KEY: .key
                case LULL_INPUT_JUMP_ENDED: .jumpEnded
                default: nil
                }
            if let event { unsafe follower(context)?.handle(event) }
        }
        unsafe fling = { y, target, context in
            unsafe follower(context)?.handle(.up(y: y, target: target))
        }
        unsafe jump = { target, context in
            unsafe follower(context)?.handle(.jumpBegan(target: target))
        }
        unsafe scroll = { offset, time, context in
            unsafe follower(context)?.scroll(to: offset, at: time)
        }
        unsafe expect_frame = { time, context in unsafe follower(context)?.expectFrame(at: time) }
        unsafe get_row = { position, row, context in
            guard let row = unsafe row else { return }
            unsafe follower(context)?.get(&row.pointee, at: Int(position))
        }
        unsafe show = { listItem, item, row, context in
            guard let listItem = unsafe listItem, let item = unsafe item, let row = unsafe row
            else { return }
            let cell = unsafe GTKCell(listItem, item, row.pointee.row)
            let hasValue = unsafe row.pointee.state != LULL_ROW_PLACEHOLDER
            unsafe follower(context)?.show(cell, hasValue: hasValue)
        }
        unsafe end = { context in
            guard let context = unsafe context else { return }
            let follower = unsafe Unmanaged<ViewFollower>.fromOpaque(context)
            unsafe follower.takeUnretainedValue().end()
            unsafe follower.release()
        }
    }
}
#endif
