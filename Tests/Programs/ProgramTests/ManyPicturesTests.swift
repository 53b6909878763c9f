import Foundation
import ImageLoading
import TestSupport
import Testing

@Suite struct `Ten thousand pictures` {
    /// Sanitizers keep what is freed, so that memory grows with what was done.
    @Test(.enabled(if: !Command.isSanitized))
    func `leave a process as large as the first thousand did, and no descriptor open`() throws {
        let folder = try Folder()
        for (index, photo) in ["08-soap-bubbles-800x800.png", "02-lagoon-1200x800.jpg"].enumerated()
        {
            let picture = try PictureJob(
                .file("\(Command.photos)/\(photo)"), fitting: PixelSize(width: 32, height: 32)
            ).decode()
            var encoder = try PNGEncoder(picture)
            var file: [UInt8] = []
            while !encoder.step(into: &file) {}
            _ = try folder.write("\(index).png", Data(file))
        }
        _ = try folder.write("page.jpg", "<html>")
        let program = try Command("picture-program", [folder.url.path, "10000"])
        #expect(program.status == 0)
        let lines = program.output.split(separator: "\n")
        try #require(lines.count == 4)
        let numbers = lines.map { $0.split(separator: " ").compactMap { Int($0) } }
        #expect(numbers[3][0] + numbers[3][1] == 10_000 && numbers[3][1] == 3333)
        let (thousand, end) = (numbers[1], numbers[2])
        #expect(Double(end[0]) < 1.1 * Double(thousand[0]), "\(program.output)")
        // At each moment a worker may have one more open.
        #expect(end[1] <= numbers[0][1] + 1, "\(program.output)")
    }
}
