import IdleLoop

let loop = try MainLoop()
let queue = IdleQueue<String>(on: loop)
queue.submit("job") { _ in
    print("in a lull")
    loop.stop()
    return .done
}
try loop.run()
