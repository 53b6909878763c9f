@testable import HTTPLoading
import Testing

/// The part of an answer that is kept to be stored, which nobody sees from without.
struct ResponseBodyTests {
    private func answer(limit: Int = 1000, kept: Int = 0, _ lines: String...) -> ResponseBody {
        var answer = ResponseBody(
            to: "", byteLimit: limit, isStreamed: kept > 0, keptLimit: kept,
            decodes: { $0 == "gzip" })
        for line in lines where !answer.add(line: line + "\r\n") { break }
        return answer
    }

    private func add(_ count: Int, to answer: inout ResponseBody) -> Bool {
        let bytes = [UInt8](repeating: 1, count: count)
        return unsafe bytes.withUnsafeBytes { unsafe answer.add($0) }
    }

    @Test func `whether pieces are kept is decided once for each head, and not for each piece`() {
        let fresh = "Cache-Control: max-age=9"
        func isKept(kept: Int = 100, _ control: String) -> Bool {
            let start = "HTTP/1.1 200 OK"
            return self.answer(kept: kept, start, "", start, "Content-Length: 5", control, "")
                .pieces
                != nil
        }
        #expect(isKept(fresh))
        #expect(!isKept("Cache-Control: no-store") && !isKept("Vary: *"))
        #expect(!isKept(kept: 0, fresh), "there's no cache")
        var answer = self.answer(kept: 100, "HTTP/1.1 200 OK", "Content-Length: 150", fresh, "")
        for count in [60, 40] {
            #expect(add(count, to: &answer))
            #expect(answer.takeBytes().count == count)
        }
        #expect(answer.pieces?.map(\.count) == [60, 40])
        #expect(add(1, to: &answer))
        #expect(answer.takeBytes().count == 1 && answer.pieces == nil)
    }
}
