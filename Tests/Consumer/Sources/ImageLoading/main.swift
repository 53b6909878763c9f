import IdleLoop
import ImageLoading

let loop = try MainLoop()
let pictures = PictureSource(on: loop)
let request = PictureRequest("a.jpg", fitting: PixelSize(width: 120, height: 80))
do { print(try pictures.value(of: request)) } catch { print(request, error) }
pictures.close()
