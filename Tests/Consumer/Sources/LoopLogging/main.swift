import IdleLoop
import Logging
import LoopLogging

let loop = try MainLoop()
let logging = LoopLogging(of: loop, to: Logger(label: "consumer"))
logging.cancel()
