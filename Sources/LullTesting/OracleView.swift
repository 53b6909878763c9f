internal import ScrollModel

/// The times of each row on screen: what only somebody who knows the trace can know.
struct OracleView {
    /// A row that will be on screen at some frame after the first.
    struct Row {
        let number: Int
        /// The frames at which it is on screen, in order.
        fileprivate(set) var stays: [Range<Int>]
    }

    /// The rows, in the order in which they come on screen.
    let rows: [Row]
    /// The number of rows that come on screen at each frame.
    let entering: [Int]
    private let schedule: FrameSchedule

    /// The view of a list that goes along a path.
    init(of path: OffsetPath, in list: Viewport, at schedule: FrameSchedule) {
        var list = list
        var rows: [Row] = []
        var places: [Int: Int] = [:]
        var entering: [Int] = []
        var before = 0..<0
        for frame in 0..<max(0, schedule.last + 1) {
            list.scroll(to: path.offset(at: schedule.due(frame)))
            let visible = list.visibleRows
            entering.append(visible.count { !before.contains($0) })
            before = visible
            for row in visible {
                guard let place = places[row] else {
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
        self.schedule = schedule
    }

    /// The first frame that will show what is loaded by work that begins at `time`.
    ///
    /// A frame that falls due meanwhile waits for the work to end, and shows what came of it.
    func firstFrame(after time: Int64) -> Int {
        guard time >= schedule.phase else { return 0 }
        var frame = Int((time - schedule.phase) * Int64(schedule.hz) / 1_000_000_000)
        while schedule.due(frame) <= time { frame += 1 }
        return frame
    }

    /// For how many frames a row is on screen, from `frame` on.
    func visibleFrames(of row: Int, from frame: Int) -> Int {
        rows[row].stays.reduce(0) { $0 + max(0, $1.upperBound - max($1.lowerBound, frame)) }
    }

    /// The first frame from `frame` on at which a row is on screen, and for how many it stays.
    func nextStay(of row: Int, from frame: Int) -> (start: Int, length: Int)? {
        for stay in rows[row].stays where stay.upperBound > frame {
            let start = max(stay.lowerBound, frame)
            return (start, stay.upperBound - start)
        }
        return nil
    }
}
