@testable import HTTPLoading
import Testing

/// Answers without a network.
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

    @Test func `a head says what it is of, and the last one counts`() {
        let answer = answer(
            "HTTP/1.1 302 Found", "Location: /there", "ETag: old", "", "HTTP/1.1 100 Continue", "",
            "HTTP/2 200", "Content-Type:\ttext/plain; a=b \t", "eTAG:new", "no colon", ": empty", ""
        )
        #expect(answer.head.status == 200)
        #expect(answer.head.location == nil)
        #expect(answer.head.version == HTTPLoadResponse.Version(etag: "new"))
        #expect(answer.head.contentType == "text/plain; a=b")
        #expect(answer.head.isWhole && !answer.head.isRedirect)
    }

    @Test func `what follows the body changes nothing`() {
        var answer = answer("HTTP/1.1 200 OK", "ETag: a", "")
        #expect(add(10, to: &answer))
        for line in ["ETag: b\r\n", "Content-Length: 99999\r\n", "\r\n"] {
            let isTaken = answer.add(line: line)
            #expect(isTaken)
        }
        #expect(answer.head.version?.etag == "a")
        #expect(answer.failure == nil)
    }

    @Test(arguments: [
        ("5", 5), ("5, 5", 5), ("05,5,", 5), ("-5", nil), ("", nil), ("5x", nil), ("+5", nil),
        ("5, 6", nil), ("5, x", nil),
    ])
    func `a length is one number`(text: String, length: Int?) {
        let answer = answer("HTTP/1.1 200 OK", "Content-Length: \(text)", "")
        #expect(answer.failure == (length == nil ? .badReply("its length is \(text)") : nil))
        if let length { #expect(answer.head.length == length) }
    }

    @Test func `a length that no number holds is too large`() {
        let answer = answer("HTTP/1.1 200 OK", "Content-Length: 99999999999999999999", "")
        #expect(answer.failure == .tooLarge(found: .max, limit: 1000))
    }

    @Test func `the length of what is sent isn't that of a body with codings`() {
        func lengths(_ lines: String...) -> [Int?] {
            var answer = answer("HTTP/1.1 200 OK")
            for line in lines + ["Content-Length: 5", ""] where !answer.add(line: line + "\r\n") {
                break
            }
            return [answer.head.length, answer.head.sentLength]
        }
        #expect(lengths() == [5, 5])
        #expect(lengths("Content-Encoding: identity") == [5, 5])
        #expect(lengths("Content-Encoding: gzip") == [nil, 5])
        #expect(lengths("Transfer-Encoding: chunked") == [nil, nil])
        #expect(lengths("Transfer-Encoding: Identity", "Transfer-Encoding: , chunked")[1] == nil)
    }

    @Test(arguments: [
        "Content-Encoding: br", "Content-Encoding: gzip, br", "Content-Encoding: gzip, gzip, gzip",
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: xchunked",
    ])
    func `what can't be decoded is refused by its name, if there's a body`(line: String) {
        let name = String(line[line.firstIndex(of: " ")!...].dropFirst())
        #expect(answer("HTTP/1.1 200 OK", line, "").failure == .unsupportedCoding(name))
        for status in ["204 None", "304 Same", "404 None", "302 Away"] {
            #expect(answer("HTTP/1.1 \(status)", line, "").failure == nil)
        }
    }

    @Test func `a body has as many bytes as it may, and no more`() {
        var answer = answer(limit: 100, "HTTP/1.1 200 OK", "Content-Length: 100", "")
        #expect(answer.share == 0)
        #expect(add(60, to: &answer))
        #expect(answer.share == 0.6)
        #expect(add(40, to: &answer))
        #expect(!add(1, to: &answer))
        #expect(answer.failure == .tooLarge(found: 101, limit: 100))
        #expect(answer.bytes.count == 100)
        let promised = self.answer(limit: 100, "HTTP/1.1 200 OK", "Content-Length: 101", "")
        #expect(promised.failure == .tooLarge(found: 101, limit: 100))
        // Of an error's text nothing is kept, and of a redirect's length nothing is thought.
        var error = self.answer(limit: 100, "HTTP/1.1 500 No", "Content-Length: 5000", "")
        #expect(add(60_000, to: &error))
        #expect(error.bytes.isEmpty && error.failure == nil)
        #expect(!add(6000, to: &error))
        #expect(error.failure == .status(500, retryAfter: nil))
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

    @Test func `a list of very many lines is a head without end`() {
        var answer = ResponseBody(to: "", byteLimit: 100, decodes: { _ in false })
        var lines = 0
        while lines < 30_000, answer.add(line: lines == 0 ? "HTTP/1.1 200 OK\r\n" : "Vary:a\r\n") {
            lines += 1
        }
        #expect(answer.failure == .badReply("its head has no end"))
        #expect(lines < 9000)
        #expect(answer.head.fields["vary"]?.count == 3 * lines - 2, "a, a, a")
    }

    @Test func `heads have an end, also if there are many`() {
        var answer = ResponseBody(to: "", byteLimit: 100, decodes: { _ in false })
        var lines = 0
        while lines < 100_000, answer.add(line: lines % 2 == 0 ? "HTTP/1.1 200 OK\r\n" : "A: b\r\n")
        {
            lines += 1
        }
        #expect(answer.failure == .badReply("its head has no end"))
        #expect(lines < 30_000)
    }
}
