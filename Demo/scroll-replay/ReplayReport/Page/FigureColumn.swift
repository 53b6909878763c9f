internal import IdleLoop
internal import LullTesting
internal import ReplayText

/// A column of the table of figures: its name, unit, meaning and value.
struct FigureColumn: Sendable {
    let name: String
    let unit: String
    let meaning: String
    /// The value by which runs are compared, lower is better; nil if no value is better.
    let rank: (@Sendable (Figures) -> Double)?
    let text: @Sendable (Figures) -> String

    /// The columns, in order.
    static let all: [FigureColumn] = [
        FigureColumn(
            name: "blank", unit: "row·s",
            meaning: "For how long rows on screen were not loaded: for each frame shown, its time "
                + "until the next times the rows on screen that were neither loaded nor failed.",
            rank: { $0.blank / .seconds(1) }, text: { seconds($0.blank) }),
        FigureColumn(
            name: "moving", unit: "row·s",
            meaning: "The part of blank in frames whose offset differs from the frame before.",
            rank: { $0.blankMoving / .seconds(1) }, text: { seconds($0.blankMoving) }),
        FigureColumn(
            name: "settle p95", unit: "ms",
            meaning: "From when the list came to rest for 100 ms or more until a frame showed no "
                + "row missing: the 95th percentile (nearest rank) over the rests that filled.",
            rank: { Figures.percentile(95, of: $0.settles) / .seconds(1) },
            text: { milliseconds(Figures.percentile(95, of: $0.settles)) }),
        FigureColumn(
            name: "never full", unit: "rests",
            meaning: "Rests of 100 ms or more in which some row on screen was never loaded.",
            rank: { Double($0.settleNever) }, text: { "\($0.settleNever) of \($0.rests)" }),
        FigureColumn(
            name: "loads", unit: "",
            meaning: "Loads that were finished.",
            rank: nil, text: { "\($0.loadsFinished)" }),
        FigureColumn(
            name: "wasted", unit: "loads",
            meaning: "Loads that were finished and whose row was on screen, loaded, for less than "
                + "a tenth of a second's frames in the whole trace.",
            rank: { Double($0.loadsWasted) }, text: { "\($0.loadsWasted)" }),
        FigureColumn(
            name: "waste", unit: "% of cost",
            meaning: "The part of the time spent on loading that went to rows that were not seen "
                + "for a tenth of a second, or not finished.",
            rank: { $0.wasteShare }, text: { decimals($0.wasteShare * 100, 0) }),
        FigureColumn(
            name: "failed", unit: "loads",
            meaning: "Loads that ended with an error; a row that failed is not blank.",
            rank: nil, text: { "\($0.loadsFailed)" }),
        FigureColumn(
            name: "late", unit: "frames",
            meaning: "Frames that ended after the next was due.",
            rank: { Double($0.framesLate) }, text: { "\($0.framesLate) of \($0.framesShown)" }),
        FigureColumn(
            name: "dropped", unit: "frames",
            meaning: "Frames that were not shown because the one before wasn't done.",
            rank: { Double($0.framesDropped) }, text: { "\($0.framesDropped)" }),
        FigureColumn(
            name: "hitch", unit: "ms/s",
            meaning: "By how much frames were late, in all, for each second of the trace.",
            rank: { $0.hitchRatio }, text: { decimals($0.hitchRatio, 1) }),
        FigureColumn(
            name: "input p99", unit: "ms",
            meaning: "From an input to when the loop took it: the 99th percentile.",
            rank: { Figures.percentile(99, of: $0.inputDelays) / .seconds(1) },
            text: { milliseconds(Figures.percentile(99, of: $0.inputDelays)) }),
        FigureColumn(
            name: "queue", unit: "jobs",
            meaning: "The most jobs that ever waited at once, those being fetched among them.",
            rank: nil, text: { "\($0.queue.longest)" }),
    ]
}
