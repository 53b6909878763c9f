import IdleLoop
