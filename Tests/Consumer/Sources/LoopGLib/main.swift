import IdleLoop
import LoopGLib

let loop = try MainLoop(onGLib: nil)
loop.close()
