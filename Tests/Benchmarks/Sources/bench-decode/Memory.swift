import CDecoders
import Glibc
import Workloads

/// Reports by how much decoding a file raises the most memory that this process ever had.
///
/// It has decoded nothing before, so that the code of the libraries counts as well.
func measureMemory(of name: String, _ picture: TestPicture) throws {
    guard let decoder = [Decoder].jpeg.first(where: { $0.name == name }) else { exit(64) }
    let before = resident_kib()
    let thumbnail = try decoder.decode(picture.path, 256)
    let growth = peak_resident_kib() - before
    _ = consume thumbnail
    setContender(name)
    report("D1", picture.name, "peak_kib", Double(growth))
}
