import ModelTestSupport
import Testing

@testable import Downloads

/// Keys that a playlist carries itself.
struct KeyURITests {
    private let key = Array("0123456789abcdef".utf8)

    @Test(
        "a data: URI is read in base64 and percent-encoded",
        arguments: [
            "data:application/octet-stream;base64,MDEyMzQ1Njc4OWFiY2RlZg==",
            "data:;base64,MDEyMzQ1Njc4OWFiY2RlZg%3D%3D",
            "data:,0123456789abcdef", "data:text/plain,%30123456789abcde%66",
        ])
    func decoded(_ uri: String) {
        #expect(KeyFetcher.decode(uri) == key)
    }

    @Test(
        "a malformed data: URI gives nothing",
        arguments: ["data:", "data:;base64,!!!", "data:,%zz", "data:,a%4", "data:,a%", "data:,%+1"])
    func malformed(_ uri: String) {
        #expect(KeyFetcher.decode(uri).isEmpty)
    }

    @Test("bytes beyond ASCII are read by their encoding")
    func binary() {
        #expect(KeyFetcher.decode("data:,%00%FF%80") == [0x00, 0xFF, 0x80])
    }
}
