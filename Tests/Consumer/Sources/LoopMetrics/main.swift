import IdleLoop
import LoopMetrics

LoopMetrics(of: try MainLoop()).cancel()
