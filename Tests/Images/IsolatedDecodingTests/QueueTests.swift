import Glibc
import IdleLoop
import ImageLoading
import IsolatedDecoding
import Testing

@Suite struct `Pictures that wait for a helper` {
    let bytes = Sample.png(4, 4)

    @Test func `are decoded in the order in which they were asked for`() throws {
        let bench = try Bench()
        var order: [Int] = []
        for index in 0..<20 {
            bench.decoder.decode(.bytes(bytes), named: "\(index)", fitting: .small) { result in
                order.append(result.isSuccess ? index : -1)
            }
        }
        try bench.run { order.count == 20 }
        #expect(order == Array(0..<20))
    }

    @Test func `are refused beyond a bound, and not before the call returns`() throws {
        let bench = try Bench { $0.waiting = 3 }
        var errors: [IsolatedError] = []
        var pictures = 0
        for _ in 0..<5 {
            bench.decoder.decode(.bytes(bytes), named: "", fitting: .small) { result in
                if let error = result.error { errors.append(error) } else { pictures += 1 }
            }
        }
        #expect(errors.isEmpty)
        try bench.run { pictures + errors.count == 5 }
        #expect(errors == [.tooMany(limit: 3), .tooMany(limit: 3)])
        #expect(errors[0].isTransient)
    }

    @Test func `are shared by as many helpers as there may be`() throws {
        let bench = try Bench { $0.helpers = 3 }
        var ends: [IsolatedError?] = []
        for _ in 0..<30 {
            bench.decoder.decode(.bytes(Sample.png(200, 100)), named: "", fitting: .small) {
                ends.append($0.error)
            }
        }
        #expect(bench.decoder.processes.count == 3)
        try bench.run { ends.count == 30 }
        #expect(ends.allSatisfy { $0 == nil })
        #expect(bench.decoder.statistics.started == 3)
        // And by no more than there are pictures.
        let other = try Bench { $0.helpers = 3 }
        for _ in 0..<2 { #expect(try other.outcome(of: bytes).isSuccess) }
        #expect(other.decoder.statistics.started == 1)
    }

    @Test func `and are cancelled cost nothing`() throws {
        let bench = try Bench()
        var ends: [Int] = []
        let requests = (0..<10).map { index in
            bench.decoder.decode(.bytes(bytes), named: "", fitting: .small) { _ in
                ends.append(index)
            }
        }
        for index in [0, 4, 9] { requests[index].cancel() }
        requests[4].cancel()
        #expect(!requests[4].isActive)
        try bench.run { ends.count == 7 }
        #expect(ends == [1, 2, 3, 5, 6, 7, 8])
        #expect(bench.decoder.statistics.pictures == 7)
        #expect(requests.allSatisfy { !$0.isActive })
        requests[1].cancel()
    }

    @Test func `and are cancelled while a helper works leave its result to nobody`() throws {
        let bench = try Bench { $0.cancellationGrace = .seconds(100) }
        _ = try bench.ready()
        var calls = 0
        bench.decoder.decode(.bytes(bytes), named: "", fitting: .small) { _ in calls += 1 }
            .cancel()
        #expect(try bench.outcome(of: bytes) == here(bytes))
        #expect(calls == 0)
        #expect(bench.decoder.statistics.started == 1)
        #expect(bench.decoder.statistics.abandoned == 0)
    }

    @Test func `and are cancelled end a helper that doesn't come back`() throws {
        let bench = try Bench { $0.cancellationGrace = .milliseconds(1) }
        let process = try bench.ready()
        stop(process)
        var calls = 0
        bench.decoder.decode(.bytes(bytes), named: "", fitting: .small) { _ in calls += 1 }
            .cancel()
        #expect(try bench.outcome(of: bytes) == here(bytes))
        #expect(calls == 0)
        #expect(bench.decoder.statistics.abandoned == 1)
        #expect(bench.decoder.statistics.started == 2)
        try bench.run { !exists(process) }
    }
}
