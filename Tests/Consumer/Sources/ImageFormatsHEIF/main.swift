import ImageFormatsHEIF
import ImageLoading

print([HEIFDecoder.self] as [any PictureDecoder.Type])
