import CDecoders
import CWorkloads
import Foundation
import ImageLoading
import Workloads

/// D6: what decoding in slices costs, and how long the longest is.
struct Slices {
    /// How long an idle queue lets a slice be, in nanoseconds.
    private static let budget: UInt64 = 2_000_000

    private let picture: TestPicture
    private let targetSize: PixelSize

    init(_ picture: TestPicture) {
        self.picture = picture
        // Where the thumbnail in a camera's file is large enough.
        let side = picture.name.hasSuffix("exif") ? 160 : 256
        targetSize = PixelSize(width: side, height: side)
    }

    func measure() throws {
        do throws(PictureError) {
            _ = try decoder.decode()
        } catch {
            guard case .unsupported = error.reason else { throw error }
            FileHandle.standardError.write(Data("D6: lull: \(error)\n".utf8))
            return
        }
        var (whole, sliced): ([Double], [Double]) = ([], [])
        var steps: [UInt64] = []
        for _ in 0..<(isQuick ? 3 : 5) {
            whole.append(try wholeTime())
            sliced.append(try slicedTime())
            // The least that a step ever took: what else the machine did is no part of it.
            let times = try stepTimes()
            for (index, time) in times.enumerated() {
                if index < steps.count {
                    steps[index] = min(steps[index], time)
                } else {
                    steps.append(time)
                }
            }
        }
        setContender("lull")
        report("D6", picture.name, "whole_ms", percentile(0.5, of: whole))
        report("D6", picture.name, "sliced_ms", percentile(0.5, of: sliced))
        report("D6", picture.name, "worst_slice_ms", Double(Self.longestSlice(of: steps)) / 1e6)
        report("D6", picture.name, "worst_step_ms", Double(steps.max() ?? 0) / 1e6)
        report("D6", picture.name, "steps", Double(steps.count))
    }

    private var decoder: PictureJob { PictureJob(.file(picture.path), fitting: targetSize) }

    private func wholeTime() throws(PictureError) -> Double {
        let start = thread_cpu_ns()
        _ = try decoder.decode()
        return Double(thread_cpu_ns() - start) / 1e6
    }

    private func slicedTime() throws(PictureError) -> Double {
        let start = thread_cpu_ns()
        let decoder = decoder
        var isDone = false
        while !isDone {
            let sliceStart = now()
            repeat {
                if case .done = try decoder.step() { isDone = true }
            } while !isDone && now() - sliceStart < Self.budget
        }
        return Double(thread_cpu_ns() - start) / 1e6
    }

    private func stepTimes() throws(PictureError) -> [UInt64] {
        let decoder = decoder
        var times: [UInt64] = []
        while true {
            let start = thread_cpu_ns()
            let step = try decoder.step()
            times.append(thread_cpu_ns() - start)
            if case .done = step { return times }
        }
    }

    /// The longest slice that steps of these times make, each slice ended by the step in which its
    /// time is up.
    private static func longestSlice(of steps: [UInt64]) -> UInt64 {
        var (slice, longest): (UInt64, UInt64) = (0, 0)
        for step in steps {
            if slice >= budget { slice = 0 }
            slice += step
            longest = max(longest, slice)
        }
        return longest
    }
}
