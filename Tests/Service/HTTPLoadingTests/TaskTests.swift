import HTTPLoading
import IdleLoop
import TestServer
import Testing

/// Requests in tasks on the loop.
struct TaskTests {
    @Test func `a task has the response of its request, or its error`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { request in
            request.path == "/gone"
                ? TestServer.reply("", status: "404 Gone") : TestServer.reply(request.path)
        }
        var story: [String] = []
        bench.loop.task {
            for path in ["/a", "/gone", "file:///", "/b"] {
                let url = path.hasPrefix("/") ? bench.server.url(path) : path
                do throws(HTTPLoadError) {
                    story.append(try await bench.loader.response(for: HTTPLoadRequest(url)).text)
                } catch {
                    story.append("\(error)")
                }
            }
        }
        try bench.run { story.count == 4 }
        #expect(story == ["/a", "status 404", "file: not a scheme that is followed", "/b"])
    }

    @Test(arguments: [false, true])
    func `a task that is cancelled cancels its transfer`(whileItWaits: Bool) throws {
        let bench = try LoaderBench { $0.connections = 1 }
        bench.server.answer = { _ in [.send(TestServer.text("HTTP/1.1 200 OK", "", "begun"))] }
        if whileItWaits { bench.fetch("/before") }
        var errors: [HTTPLoadError] = []
        let task = bench.loop.task {
            do throws(HTTPLoadError) {
                _ = try await bench.loader.response(for: HTTPLoadRequest(bench.server.url("/")))
            } catch {
                errors.append(error)
            }
        }
        try bench.run {
            bench.server.requests.count == 1
                && bench.loader.counts.waiting == (whileItWaits ? 1 : 0)
        }
        task.cancel()
        try bench.run { errors.count == 1 }
        #expect(errors == [.cancelled])
        #expect(bench.loader.statistics.cancelled == 1)
        #expect(bench.loader.counts == (whileItWaits ? 1 : 0, 0))
        if !whileItWaits { try bench.run { bench.server.departures == 1 } }
    }

    @Test func `a task that was cancelled before sends no request`() throws {
        let bench = try LoaderBench()
        var errors: [HTTPLoadError] = []
        bench.loop.task {
            do throws(HTTPLoadError) {
                _ = try await bench.loader.response(for: HTTPLoadRequest(bench.server.url("/")))
            } catch {
                errors.append(error)
            }
        }.cancel()
        try bench.run { errors.count == 1 }
        #expect(errors == [.cancelled] && bench.loader.statistics.begun == 0)
    }
}
