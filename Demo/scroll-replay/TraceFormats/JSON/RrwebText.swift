import LullTesting

/// Writes a trace as rrweb would have recorded it: offsets at most ten times a second, touches in
/// batches, all in whole ms.
enum RrwebText {
    /// The time at which the page was opened, in ms since 1970.
    private static let start: Int64 = 1_795_221_476_000
    private static let width = 412
    private static let finger = "\"id\":1,\"x\":206"
    /// The intervals of offsets, of moves, and of batches of moves, in ns.
    private static let scrollGap: Int64 = 100_000_000
    private static let moveGap: Int64 = 50_000_000
    private static let batchGap: Int64 = 500_000_000

    static func write(_ trace: Trace, to sink: (String) throws -> Void) rethrows {
        let height = plain(trace.viewportHeight ?? 800)
        try sink(
            "[\n{\"type\":4,\"data\":{\"href\":\"about:blank\",\"width\":\(width),"
                + "\"height\":\(height)},\"timestamp\":\(start)}")
        if let first = trace.samples.first {
            let snapshot =
                "\"node\":{\"type\":0,\"childNodes\":[],\"id\":1},"
                + "\"initialOffset\":{\"left\":0,\"top\":\(plain(first.offset))}"
            try sink(",\n{\"type\":2,\"data\":{\(snapshot)},\"timestamp\":\(start)}")
        }
        let records = (offsets(of: trace) + touches(of: trace)).inOrder { $0.time }
        for record in records {
            let stamp = milliseconds(record.time)
            try sink(",\n{\"type\":3,\"data\":{\(record.data)},\"timestamp\":\(stamp)}")
        }
        try sink("\n]\n")
    }

    private static func milliseconds(_ time: Int64) -> Int64 {
        start + (time + 500_000) / 1_000_000
    }

    private struct Record {
        let time: Int64
        let data: String
    }

    /// Returns the offsets that a throttled listener sees: the first of a motion, then one every
    /// 100 ms, and the last.
    private static func offsets(of trace: Trace) -> [Record] {
        var records: [Record] = []
        var shown = trace.samples.first?.offset
        var last = Int64.min / 2
        for (index, sample) in trace.samples.enumerated() where sample.offset != shown {
            let next = index + 1 < trace.samples.count ? trace.samples[index + 1] : nil
            let rests = next.map { $0.offset == sample.offset || $0.time - last > scrollGap * 2 }
            guard sample.time - last >= scrollGap || rests ?? true else { continue }
            shown = sample.offset
            last = sample.time
            let data = "\"source\":3,\"id\":1,\"x\":0,\"y\":\(plain(sample.offset))"
            records.append(Record(time: sample.time, data: data))
        }
        return records
    }

    private static func touches(of trace: Trace) -> [Record] {
        var records: [Record] = []
        var batch: [(time: Int64, y: Double)] = []
        var last = Int64.min / 2
        func flush(at time: Int64) {
            guard !batch.isEmpty else { return }
            let positions = batch.map { move in
                let offset = milliseconds(move.time) - milliseconds(time)
                return "{\"x\":206,\"y\":\(plain(move.y)),\"id\":1,\"timeOffset\":\(offset)}"
            }
            let data = "\"source\":6,\"positions\":[\(positions.joined(separator: ","))]"
            records.append(Record(time: time, data: data))
            batch = []
        }
        for event in trace.events {
            let time = event.time
            if let first = batch.first, time - first.time >= batchGap { flush(at: time) }
            switch event.input {
            case .down(let y):
                records.append(Record(time: time, data: touch(7, y)))
                last = Int64.min / 2
            case .move(let y):
                guard time - last >= moveGap else { continue }
                last = time
                batch.append((time, y))
            case .up(let y):
                flush(at: time)
                records.append(Record(time: time, data: touch(9, y)))
            case .cancel(let y):
                flush(at: time)
                records.append(Record(time: time, data: touch(10, y)))
            case .wheel, .key: continue
            }
        }
        flush(at: trace.duration)
        return records
    }

    private static func touch(_ type: Int, _ y: Double) -> String {
        "\"source\":2,\"type\":\(type),\(finger),\"y\":\(plain(y))"
    }
}
