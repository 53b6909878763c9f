import IdleLoop
import LoopLifecycle
import ServiceLifecycle

let service = LoopService { loop in loop.schedule(after: .zero) { loop.stop() } }
try await service.run()
