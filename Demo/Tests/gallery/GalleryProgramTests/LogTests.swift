import Logging
import TestSupport
import Testing

@testable import gallery

/// The lines of the log.
struct LogTests {
    @Test func `an entry is one line, whatever is in it`() {
        for (value, told) in [
            ("127.0.0.1:80", "127.0.0.1:80"), ("", #""""#), ("é写", "é写"), ("a b", #""a b""#),
            (#"a" c="d"#, #""a\" c=\"d""#), (#"a\"#, #""a\\""#),
            ("a\n<2>b: c", #""a\n<2>b: c""#), ("\u{1b}[2J\u{202e}", #""\u{1B}[2J\u{202E}""#),
        ] {
            let line = JournalLogHandler.text("gallery", "a\nb", ["b": "\(value)", "a": "1"])
            #expect(line == #"gallery: a\nb a=1 b="# + told)
        }
    }

    @Test func `an entry has a priority for the journal, and the time for others`() throws {
        let stream = "export JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2)"
        let journal = try Command("gallery", ["/nowhere"], limits: stream)
        #expect(journal.errors.hasPrefix("<2>gallery: can't go on error=\"/nowhere: No such file"))
        let other = try Command("gallery", ["/nowhere"])
        let start = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ critical gallery: can't go on error=/
        #expect(other.errors.prefixMatch(of: start) != nil, "\(other.errors)")
    }

    @Test func `nobody waits for who doesn't read the log`() throws {
        let folder = try Folder()
        let pipe = "\(folder.path)/pipe"
        let filled = "mkfifo '\(pipe)'; exec 2<>'\(pipe)'; head -c 65536 /dev/zero >&2"
        #expect(try Command("gallery", ["/nowhere"], limits: filled).status == 66)
    }
}
