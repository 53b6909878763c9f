import IdleLoop
import IsolatedDecoding

let loop = try MainLoop()
let decoder = IsolatedDecoder(on: loop)
print(decoder)
