@testable import HTTPLoading
import Testing

/// Answers without a network.
struct AnswerTests {
    private func answer(limit: Int = 1000, _ lines: String...) -> Answer {
        var answer = Answer(byteLimit: limit)
        for line in lines where !answer.add(line: line + "\r\n") { break }
        return answer
    }

    private func add(_ count: Int, to answer: inout Answer) -> Bool {
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
        ("5", 5), ("-5", nil), ("", nil), ("5x", nil), ("99999999999999999999", nil), ("+5", 5),
    ])
    func `a length is a number`(text: String, length: Int?) {
        #expect(answer("HTTP/1.1 200 OK", "Content-Length: \(text)").head.length == length)
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

    @Test func `heads have an end, also if there are many`() {
        var answer = Answer(byteLimit: 100)
        var lines = 0
        while lines < 100_000, answer.add(line: lines % 2 == 0 ? "HTTP/1.1 200 OK\r\n" : "A: b\r\n")
        {
            lines += 1
        }
        #expect(answer.failure == .badReply("its head has no end"))
        #expect(lines < 30_000)
    }
}
