import IdleLoop
import LoopLifecycle
import ServiceLifecycle

let service = LoopService { loop in loop.stop() }
try await service.run()
