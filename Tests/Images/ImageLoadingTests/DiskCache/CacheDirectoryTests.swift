import ImageLoading
import Testing

@Suite struct `A folder for caches` {
    @Test(arguments: [
        (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x"),
        (["XDG_CACHE_HOME": "x", "HOME": "/h"], "/h/.cache"),
        (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache"),
        (["HOME": "/h"], "/h/.cache"), (["HOME": "h"], nil), ([:], nil),
    ])
    func `of a user is where the base directory specification has it`(
        environment: [String: String], path: String?
    ) {
        #expect(CacheDirectory.ofUser { environment[$0] } == path)
        #expect(CacheDirectory.ofService { environment[$0] } == nil)
    }

    @Test(arguments: [
        ("/var/cache/a", "/var/cache/a"), ("/a:/b", "/a"), ("", nil),
        ("a", nil), (":", nil),
    ])
    func `of a service is in the first of its folders`(value: String, path: String?) {
        let environment = ["CACHE_DIRECTORY": value, "HOME": "/h"]
        #expect(CacheDirectory.ofService { environment[$0] } == path)
    }
}
