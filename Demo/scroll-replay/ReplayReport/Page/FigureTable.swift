internal import Laboratory
internal import LullTesting
internal import ReplayText

/// The figures of runs as a table, with the meaning of each.
struct FigureTable {
    /// Returns the figures of a run on one line, for the head of its drawing.
    static func numbers(of run: RunAccount) -> String {
        let figures = run.log.figures
        var parts = [
            "blank \(seconds(figures.blank)) row·s",
            "\(figures.loadsFinished) loads, \(figures.loadsWasted) wasted "
                + "(\(decimals(figures.wasteShare * 100, 0)) % of cost)",
            "settle p95 \(milliseconds(Figures.percentile(95, of: figures.settles))) ms",
            "\(figures.framesLate) late, \(figures.framesDropped) dropped "
                + "of \(figures.framesShown + figures.framesDropped) frames",
            "input p99 \(milliseconds(Figures.percentile(99, of: figures.inputDelays))) ms",
        ]
        if figures.settleNever > 0 { parts.append("\(figures.settleNever) rests never full") }
        if figures.loadsFailed > 0 { parts.append("\(figures.loadsFailed) loads failed") }
        return parts.joined(separator: " · ")
    }

    /// Returns the rows of one part of the table, with the best of each column marked.
    static func rows(_ entries: [(name: String, figures: Figures)]) -> [[String: Any]] {
        let best = FigureColumn.all.map { column -> Double? in
            guard let rank = column.rank, entries.count > 1 else { return nil }
            let values = entries.map { rank($0.figures) }
            // If all are equal, none is best.
            guard let least = values.min(), values.contains(where: { $0 > least }) else {
                return nil
            }
            return least
        }
        return entries.map { entry in
            let cells: [[String: Any]] = zip(FigureColumn.all, best).map { column, best in
                let isBest = best != nil && column.rank?(entry.figures) == best
                return ["text": escaped(column.text(entry.figures)), "best": isBest]
            }
            return ["name": escaped(entry.name), "cells": cells]
        }
    }
}
