public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P12: thumbnails in Nautilus, the file manager of GNOME (`nautilus-thumbnails.c`).
///
/// A row that is bound, which includes two beyond the visible ones, is appended to the queue,
/// unless it is queued or running; then its request joins the existing one. A row that is unbound
/// is cancelled. The queue is processed in order, when the main loop is idle, by about half as many
/// workers as there are processors.
///
/// Here the loop does the work, so there is one worker, and a row that is being loaded is cancelled
/// like one that waits.
public struct NautilusQueue: LoadingPolicy {
    /// The number of rows that are bound beyond the visible ones, on either side.
    public let margin: Int

    private var order = EntryOrder()

    /// Creates the rule with its margin.
    public init(margin: Int = 2) {
        self.margin = margin
    }

    /// Returns the bound rows, in the order of binding; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let bound = viewport.visibleRows.bounds.widened(by: margin, of: viewport.list.rowCount)
        order.update(to: RowSet(bound), isMovingDown: moment.motion.isMovingDown)
        return order.wanted
    }
}
