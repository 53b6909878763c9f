import LullTesting
import TestSupport
import Testing
import TraceFormats

/// Files with bytes cut, changed and moved, by the thousand.
struct DamageTests {
    /// One recording of each kind; Chrome's own is too long to be damaged so often.
    private static func whole(_ file: String) throws -> [UInt8] {
        guard file == "trace.json" else { return try Recorded.bytes(of: file) }
        let trace = try Recorded.shipped("chromium-fling-catch-tap.jsonl")
        return Array(try Recorded.text(of: trace, .chrome).utf8)
    }

    @Test(
        arguments: Recorded.panels.map(\.file) + ["panel.jsonl", "session.json", "trace.json"],
        0..<8 as Range<UInt64>)
    func `broken bytes are an error with a place, or a trace, never a trap`(
        file: String, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let whole = try Self.whole(file)
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
        let whole = try Recorded.packed(try Recorded.bytes(of: "panel.evemu"))
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
