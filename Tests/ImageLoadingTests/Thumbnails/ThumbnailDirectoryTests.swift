import ImageLoading
import Testing

@Suite struct `The folder of thumbnails` {
    @Test(arguments: [
        (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/thumbnails"),
        (["XDG_CACHE_HOME": "x", "HOME": "/h"], "/h/.cache/thumbnails"),
        (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache/thumbnails"),
        (["HOME": "/h"], "/h/.cache/thumbnails"), (["HOME": "h"], nil), ([:], nil),
    ])
    func `of a user is where the base directory specification has it`(
        environment: [String: String], path: String?
    ) {
        #expect(ThumbnailDirectory.ofUser { environment[$0] }?.path == path)
        #expect(ThumbnailDirectory.ofService { environment[$0] } == nil)
    }

    @Test(arguments: [
        ("/var/cache/a", "/var/cache/a/thumbnails"), ("/a:/b", "/a/thumbnails"), ("", nil),
        ("a", nil), (":", nil),
    ])
    func `of a service is in the first of its folders`(value: String, path: String?) {
        let environment = ["CACHE_DIRECTORY": value, "HOME": "/h"]
        #expect(ThumbnailDirectory.ofService { environment[$0] }?.path == path)
    }
}
