import CWorkloads
import Glibc

/// Says whose name stands in the lines that follow.
public func setContender(_ name: String) {
    // The C side keeps the pointer for good.
    unsafe set_contender(strdup(name))
}

/// Prints one line: a figure of a workload's variant.
public func report(_ workload: String, _ variant: String, _ unit: String, _ value: Double) {
    unsafe CWorkloads.report(workload, variant, unit, value)
}

/// Whether a rough answer is wanted soon.
public var isQuick: Bool { is_quick() }

/// The monotonic clock, in nanoseconds.
public func now() -> UInt64 { now_ns() }

/// Keeps the CPU busy for so many nanoseconds.
public func spin(_ nanoseconds: UInt64) { spin_ns(nanoseconds) }

/// The value below which `share` of all samples lie, as the C contenders reckon it.
public func percentile(_ share: Double, of samples: [Double]) -> Double {
    guard !samples.isEmpty else { return 0 }
    return samples.sorted()[Int(share * Double(samples.count - 1) + 0.5)]
}
