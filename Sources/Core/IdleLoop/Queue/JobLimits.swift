internal import LullLibC

/// The limits of a queue's waiting jobs, and the policy for a job that exceeds them.
struct JobLimits {
    /// The decision about a new job.
    enum Admission {
        case admitted
        case dropped
        case rejected
    }

    let count: Int
    /// The maximum total of given costs, in nanoseconds, which the table adds up for each job.
    let cost: Int64
    private let overflow: Overflow

    init(_ configuration: QueueConfiguration) {
        precondition(configuration.limit > 0, "an idle queue holds at least one job")
        precondition(
            configuration.costLimit.map { $0 > .zero } ?? true,
            "an idle queue holds some work at least")
        count = configuration.limit
        cost = configuration.costLimit?.wholeNanoseconds ?? .max
        overflow = configuration.overflow
    }

    /// Whether old jobs are dropped for new ones.
    private var dropsOld: Bool {
        switch overflow {
        case .reject, .dropNewest: false
        case .dropLeastUrgent, .dropOldest: true
        }
    }

    func admission(of cost: Int64, to jobs: borrowing JobTable) -> Admission {
        switch overflow {
        case .reject where isFull(jobs, withOneMoreOf: cost): .rejected
        case .dropNewest where isFull(jobs, withOneMoreOf: cost): .dropped
        // It would empty the queue, and still not fit.
        case _ where cost > self.cost: .dropped
        default: .admitted
        }
    }

    /// Returns whether the waiting jobs exceed a limit.
    func areExceeded(by jobs: borrowing JobTable) -> Bool {
        jobs.count > count || jobs.cost > cost
    }

    /// Returns whether a limit leaves no room for one more job, if the running one comes back.
    private func isFull(_ jobs: borrowing JobTable, withOneMoreOf cost: Int64) -> Bool {
        let held = jobs.held
        return held.count >= count || held.cost > self.cost - cost
    }

    /// Returns whether there's room for work of this cost after the running job has left.
    func haveRoom(for cost: Int64, in jobs: borrowing JobTable) -> Bool {
        guard cost <= self.cost else { return false }
        return dropsOld || jobs.count < count && jobs.cost <= self.cost - cost
    }

    /// Returns whether a job would be accepted without dropping another of the same or a higher
    /// priority, also if the running one comes back.
    func haveRoom(for priority: Priority, cost: Int64, in jobs: inout JobTable) -> Bool {
        guard cost <= self.cost else { return false }
        guard isFull(jobs, withOneMoreOf: cost) else { return true }
        guard dropsOld else { return false }
        return jobs.canMakeRoom(from: priority) { count, waiting in
            count < self.count && waiting <= self.cost - cost
        }
    }
}
