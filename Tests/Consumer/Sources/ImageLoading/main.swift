import IdleLoop
import ImageLoading

let loop = try MainLoop()
let pictures = try PictureLoader(on: loop) { _, state in print(state) }
print(PictureRequest("a.jpg", fitting: PixelSize(width: 120, height: 80)))
pictures.close()
