import CDecoders
import CWorkloads
import Foundation
import ImageLoading
import Workloads

/// Decoders that take turns over one file after another, in one process: what else the machine does
/// falls on all of them alike.
struct Contest {
    let workload: String
    private let decoders: [Decoder]
    private let targetSize: Int

    /// What all are called together.
    private static let everyone = "decoders"

    private struct Disagreement: Error, CustomStringConvertible {
        let decoder: String
        let picture: String
        let difference: Double

        var description: String {
            "\(decoder) sees another \(picture) than the first, by \(difference) a value"
        }
    }

    init(_ workload: String, _ decoders: [Decoder], targetSize: Int = 256) {
        self.workload = workload
        self.targetSize = targetSize
        let chosen = ProcessInfo.processInfo.environment["BENCH_CONTENDERS"]?.split(separator: ",")
        self.decoders = decoders.filter { decoder in
            chosen.map { $0.contains { $0 == decoder.name || $0 == Self.everyone } } ?? true
        }
    }

    /// Reports the median of the CPU time that each took.
    ///
    /// Not of the time that went by: with one more process than there are cores, that is chance.
    func run(_ pictures: [TestPicture]) throws {
        // Else one that needs much memory pays for it or not by who had the turn before.
        keep_freed_memory()
        for picture in pictures {
            let taking = try agreeing(decoders, on: picture)
            var times = [[Double]](repeating: [], count: taking.count)
            for round in 0..<(isQuick ? 3 : 5) {
                for turn in taking.indices {
                    let index = (round + turn) % taking.count
                    let start = cpu_ns()
                    let thumbnail = try taking[index].decode(picture.path, targetSize)
                    times[index].append(Double(cpu_ns() - start) / 1e6)
                    _ = consume thumbnail
                }
            }
            for (decoder, times) in zip(taking, times) {
                setContender(decoder.name)
                report(workload, picture.name, "cpu_ms", percentile(0.5, of: times))
            }
        }
    }

    /// Those of the decoders that read the picture; throws if they read different things in it.
    private func agreeing(_ decoders: [Decoder], on picture: TestPicture) throws -> [Decoder] {
        var reference: Picture?
        var referenceTolerance = 0.0
        return try decoders.filter { decoder in
            var thumbnail: Picture?
            let isThere = try isPresent(decoder, picture) {
                thumbnail = try decoder.decode(picture.path, targetSize).copy
            }
            guard let thumbnail else { return isThere }
            guard let other = reference else {
                reference = thumbnail
                referenceTolerance = decoder.tolerance
                return true
            }
            let difference = other.difference(from: thumbnail)
            guard difference <= max(decoder.tolerance, referenceTolerance) else {
                throw Disagreement(
                    decoder: decoder.name, picture: picture.name, difference: difference)
            }
            return true
        }
    }

    private func isPresent(
        _ decoder: Decoder, _ picture: TestPicture, _ body: () throws -> Void
    ) throws -> Bool {
        do {
            try body()
            return true
        } catch let absence as Decoder.Absence {
            note(absence, of: decoder, picture)
            return false
        }
    }

    private func note(_ absence: Decoder.Absence, of decoder: Decoder, _ picture: TestPicture) {
        // Once is enough.
        if ProcessInfo.processInfo.environment["BENCH_ROUND"] ?? "1" != "1" { return }
        let text = "\(workload) \(picture.name): \(decoder.name) \(absence.what)\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
