import IdleLoop
import LoopUV

print((try? MainLoop(onUV: nil)) == nil)
