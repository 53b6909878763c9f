import AsyncHTTPClient
import Hummingbird
import Lull

let loop = try MainLoop()
let request = HTTPClientRequest(url: "http://localhost/")
let router = Router()
router.get("/") { _, _ in "\(LullBuild.version)" }
print(loop, request, router)
