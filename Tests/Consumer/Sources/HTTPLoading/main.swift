import HTTPLoading
import IdleLoop

let http = HTTPLoader(on: try MainLoop())
print(http)
