import TestSupport
import Testing

@testable import DeferredLoading

struct LoadLifeTests {
    @Test(arguments: seeds(0..<200))
    func `a life is never in two places, and ends where it should`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var life = LoadLife()
        for _ in 0..<100 {
            var events: [LoadLife.Event] = [
                .wanted, .unwanted(isNearlyDone: false), .unwanted(isNearlyDone: true), .reset,
            ]
            if life.place == .waiting { events.append(.offered) }
            if life.place == .memoryBlocked { events.append(.roomMade) }
            if life.place == .queued { events += [.jobEnded, .reached(.begun), .reached(.loaded)] }
            if life.isSettled ? life.place == .nowhere : life.place == .waiting && life.isWanted {
                events.append(.evicted)
            }
            guard let event = events.randomElement(using: &random) else { return }
            let wasWithdrawn = life.isWithdrawn
            let action = life.handle(event)
            #expect(action != .withdraw || (life.place == .queued && !wasWithdrawn))
            #expect(life.place != .waiting || (life.claim != .none && !life.isSettled))
            #expect(!life.isSettled || life.place == .nowhere || life.place == .queued)
            #expect(life.place != .suspended || (life.claim == .none && life.stage != .nothing))
            #expect(life.place != .memoryBlocked || life.isWanted)
            if life.isWanted, !life.isSettled { #expect(life.place != .nowhere) }
        }
    }
}
