internal import LullTesting
internal import ScrollModel

/// The times at which each row is visible, which only an oracle knows.
struct OracleView {
    /// A row that will be visible in some frame, or one of its stays if the memory is limited.
    struct Row {
        let number: Int
        /// The ranges of frames in which it is visible, in order.
        fileprivate(set) var stays: [Range<Int>]
        /// The start of its first stay.
        var start: Int { stays.first?.lowerBound ?? 0 }
        /// The end of its last stay.
        var end: Int { stays.last?.upperBound ?? 0 }
    }

    /// The rows, in the order in which they become visible.
    let rows: [Row]
    /// The number of rows that become visible in each frame.
    let entering: [Int]

    /// Creates the view of a list that follows a path; `splitsStays` makes each stay of a row an
    /// entry of its own.
    init(
        of path: OffsetPath, in list: Viewport, at schedule: FrameSchedule, splitsStays: Bool
    ) {
        var list = list
        var rows: [Row] = []
        var places: [Int: Int] = [:]
        var entering: [Int] = []
        var before = RowSet(0..<0)
        for frame in 0..<max(0, schedule.last + 1) {
            list.scroll(to: path.offset(at: schedule.due(frame)))
            let visible = list.visibleRows
            entering.append(visible.count { !before.contains($0) })
            defer { before = visible }
            for row in visible {
                guard let place = places[row], !splitsStays || before.contains(row) else {
                    places[row] = rows.count
                    rows.append(Row(number: row, stays: [frame..<frame + 1]))
                    continue
                }
                if rows[place].stays[rows[place].stays.count - 1].upperBound == frame {
                    let start = rows[place].stays.removeLast().lowerBound
                    rows[place].stays.append(start..<frame + 1)
                } else {
                    rows[place].stays.append(frame..<frame + 1)
                }
            }
        }
        self.rows = rows
        self.entering = entering
    }

    /// Returns the number of frames in which a row is visible, from `frame` on.
    func visibleFrames(of row: Int, from frame: Int) -> Int {
        rows[row].stays.reduce(0) { $0 + max(0, $1.upperBound - max($1.lowerBound, frame)) }
    }

    /// Returns the first frame from `frame` on in which a row is visible, and the number of frames
    /// until it isn't.
    func nextStay(of row: Int, from frame: Int) -> (start: Int, length: Int)? {
        for stay in rows[row].stays where stay.upperBound > frame {
            let start = max(stay.lowerBound, frame)
            return (start, stay.upperBound - start)
        }
        return nil
    }
}
