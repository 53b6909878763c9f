import IdleLoop
import LoopSDEvent

print((try? MainLoop(onSDEvent: nil)) == nil)
