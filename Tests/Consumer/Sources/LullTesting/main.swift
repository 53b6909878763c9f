import LullTesting
import ScrollModel

print(TraceBuilder("fling").trace)
