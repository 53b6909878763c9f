import Glibc
import IdleLoop
import ImageLoading

/// Decodes a picture step by step, as a loop would, and measures the cost.
enum MeasuredDecode {
    /// Decodes a file to fit in a target size; the picture is nil if the report has an error.
    static func run(_ file: String, targetSize: PixelSize) -> (ThumbnailReport, Picture?) {
        var report = ThumbnailReport(file: file)
        do throws(PictureError) {
            let source = try PictureArgument(file)
            let decoder = PictureJob(path: source.path, fitting: targetSize)
            let memory = PeakMemory()
            let result = steps(of: decoder, into: &report)
            report.header = decoder.header
            report.source = decoder.source
            report.peakMemoryGrowth = memory.growth
            let picture = try result.get()
            report.thumbnail = picture.size
            report.quadrants = picture.quadrants
            return (report, picture)
        } catch {
            report.outcome = .failed(error)
            return (report, nil)
        }
    }

    private static func steps(
        of decoder: PictureJob, into report: inout ThumbnailReport
    ) -> Result<Picture, PictureError> {
        let cpuStart = cpuTime
        var picture: Result<Picture, PictureError>?
        while picture == nil {
            let start = LoopClock.monotonic.now
            do throws(PictureError) {
                if case .done(let done) = try decoder.step() { picture = .success(done) }
            } catch {
                picture = .failure(error)
            }
            report.steps += 1
            report.longestStep = max(report.longestStep, LoopClock.monotonic.now - start)
        }
        report.cpuTime = cpuTime - cpuStart
        guard let picture else { preconditionFailure("steps end with a picture or an error") }
        return picture
    }

    /// The processor time of this thread.
    private static var cpuTime: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
