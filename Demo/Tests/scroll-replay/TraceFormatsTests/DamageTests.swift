import LullTesting
import TestSupport
import Testing
import TraceFormats

/// Files with bytes cut, changed and moved, by the thousand.
struct DamageTests {
    private static let dialects = TraceDialect.allCases.filter(\.isWritable)

    @Test(arguments: dialects, 0..<8 as Range<UInt64>)
    func `broken bytes are an error with a place, or a trace, never a trap`(
        dialect: TraceDialect, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let trace = try Recorded.shipped("chromium-fling-catch-tap.jsonl")
        let whole = Array(try Recorded.text(of: trace, dialect).utf8)
        for _ in 0..<40 {
            var bytes = Array(whole.prefix(.random(in: 1...whole.count, using: &random)))
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1:
                    bytes[place] =
                        "0123456789-eE.[]{},:\n\" ".utf8.randomElement(using: &random) ?? 0
                case 2: bytes.replaceSubrange(place..<place, with: "99999999999999999999".utf8)
                default:
                    let end = min(bytes.count, place + Int.random(in: 0..<64, using: &random))
                    bytes.removeSubrange(place..<max(place, end - 1))
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            do throws(TraceError) {
                let read = try Recorded(bytes: bytes)
                #expect(!read.statement.isEmpty)
            } catch {
                #expect(error.kind == .malformed)
                #expect(error.line != nil || error.byte != nil)
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `broken gzip is an error or a trace, never a trap`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let trace = try Recorded.shipped("chromium-fling-catch-tap.jsonl")
        let whole = try Recorded.packed(Array(try Recorded.text(of: trace, .evemu).utf8))
        for _ in 0..<20 {
            var bytes = Array(whole.prefix(.random(in: 3...whole.count, using: &random)))
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                bytes[.random(in: 2..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            do throws(TraceError) { _ = try Recorded(bytes: bytes) } catch {
                #expect(error.kind == .malformed)
            }
        }
    }
}
