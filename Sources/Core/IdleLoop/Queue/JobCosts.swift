/// A queue's estimates of the cost of its jobs, in nanoseconds: they are compared in each pass.
struct JobCosts {
    /// The expected cost of a job.
    enum Expected {
        /// The job runs in slices, and stops when its slice ends.
        case slices
        /// No job of its kind has run yet.
        case unknown
        /// The expected nanoseconds.
        case known(Int64)
    }

    private var numbers: [JobKind: Int] = [:]
    private var kinds: [MeanDeviation<Int64>?] = []
    private var error = HintCorrection()

    /// Returns the number of a kind, and assigns one at first use.
    mutating func number(of kind: JobKind) -> Int {
        if let number = numbers[kind] { return number }
        numbers[kind] = kinds.count
        kinds.append(nil)
        return kinds.count - 1
    }

    /// Returns the expected cost of jobs of a kind; nil before one has run.
    func expected(of kind: JobKind) -> Duration? {
        numbers[kind].flatMap { kinds[$0]?.expected }.map { .nanoseconds($0) }
    }

    func expected(of job: Job) -> Expected {
        guard job.isWhole else { return .slices }
        if let hint = job.hint { return .known(error.corrected(hint)) }
        guard let kind = job.kind, let cost = kinds[Int(kind)]?.expected else { return .unknown }
        return .known(cost)
    }

    mutating func learn(_ cost: Int64, of job: Job) {
        if let kind = job.kind { kinds[Int(kind)].add(cost, firstDeviation: 0) }
        if let hint = job.hint { error.learn(cost, hint: hint) }
    }
}

extension MeanDeviation<Int64> {
    /// The mean plus the mean deviation.
    var expected: Int64 {
        let (sum, overflow) = mean.addingReportingOverflow(deviation)
        return overflow ? .max : sum
    }
}

/// The error of cost hints, which corrects hints that are too low.
///
/// It keeps the last 256 quotients of true cost and hint, and multiplies hints by the third
/// greatest: so few jobs take longer than expected, and two that were delayed by something else
/// don't count.
struct HintCorrection {
    private var quotients: InlineArray<256, Int32> = .init(repeating: HintCorrection.one)
    private var next = 0
    private var correction = HintCorrection.one

    /// The fixed-point representation of a quotient of one.
    private static let one: Int32 = 1024
    /// The least hint that is used: below it, the measurement is of the loop rather than of the
    /// job.
    private static let least: Int64 = 50_000

    func corrected(_ hint: Int64) -> Int64 {
        let (product, overflow) = hint.multipliedReportingOverflow(by: Int64(correction))
        return overflow ? hint : product / Int64(HintCorrection.one)
    }

    mutating func learn(_ cost: Int64, hint: Int64) {
        guard hint >= HintCorrection.least else { return }
        let quotient = min(Double(cost) / Double(hint), 64) * Double(HintCorrection.one)
        quotients[next] = Int32(quotient)
        next = (next + 1) % quotients.count
        var (first, second, third): (Int32, Int32, Int32) = (0, 0, 0)
        for index in quotients.indices {
            let value = quotients[index]
            if value > first {
                (first, second, third) = (value, first, second)
            } else if value > second {
                (second, third) = (value, second)
            } else if value > third {
                third = value
            }
        }
        correction = third
    }
}
