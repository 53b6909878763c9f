import IdleLoop
import LoopSystemd

let service = try ManagedService(on: try MainLoop())
try service.ready("serves nobody")
