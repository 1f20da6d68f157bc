import AssetFiles
import HTTPDaemon
import HTTPTypes
import SidebandSubtitles
import StoreModel
import Testing

@testable import OfflineServer

@Suite("The meaning of a request for media")
struct RequestMeaningTests {
    @Test(
        "is that bytes are taken, if its response has some",
        arguments: [
            ("GET", nil, nil, true), ("HEAD", nil, nil, false), ("GET", "Range", "bytes=0-9", true),
            ("GET", "Range", "bytes=99-", true), ("GET", "Range", "bytes=100-", false),
            ("GET", "If-None-Match", "\"a\"", false), ("GET", "If-None-Match", "\"b\"", true),
            ("HEAD", "If-None-Match", "\"b\"", false), ("GET", "If-Match", "\"a\"", true),
            ("GET", "If-Match", "\"b\"", false),
        ] as [(String, String?, String?, Bool)])
    func taken(method: String, name: String?, value: String?, isTaken: Bool) throws {
        var fields: [(String, String)] = []
        if let name, let value { fields.append((name, value)) }
        let request = try Request.admitted("/a.ts", method: method, fields: fields)
        let representation = Representation(size: 100, entityTag: EntityTag(strong: "a"))
        #expect(MediaResponder.isTaken(representation, by: request) == isTaken)
    }

    @Test("has the tracks of one file: all unless some are named, and none by that word or by nothing")
    func tracks() {
        let table: [(query: String?, audio: [String]?)] = [
            (nil, nil), ("audio=all", nil), ("audio=none", []), ("audio=", []), ("audio=de", ["de"]),
            ("audio=de,en", ["de", "en"]), ("subtitles=de", nil),
        ]
        for (query, audio) in table {
            #expect(AssetFileChoice(QueryItems(query), .mp4).audio == audio, "\(query ?? "")")
        }
        let choice = AssetFileChoice(QueryItems("subtitles=none&gaps=skip&part=2&video=v"), .ts)
        #expect(choice.subtitles == [] && choice.video == "v")
        #expect(choice.skipsGaps && choice.part == 2)
        #expect(!AssetFileChoice(QueryItems("gaps=1"), .mp4).skipsGaps)
        #expect(!AssetFileChoice(QueryItems(nil), .mp4).skipsGaps)
    }

    @Test(
        "has a time of seconds, of minutes and seconds, or of hours, too",
        arguments: [
            ("0", 0), ("75.5", 75_500), ("1:15.5", 75_500), ("0:01:15.500", 75_500), ("1:00:00", 3_600_000),
            ("1000000000", 1_000_000_000_000),
        ])
    func times(text: String, milliseconds: Int) {
        #expect(PlaybackTime(text)?.time == CueTime(milliseconds: milliseconds))
    }

    @Test(
        "has no time by another text",
        arguments: [
            "", ":", "1:", ":1", "1:2:3:4", "-1", "+1", "1.2.3", ".", "1e3", "1,5", "1000000001", "x", "nan",
        ])
    func noTimes(text: String) {
        #expect(PlaybackTime(text) == nil)
    }

    @Test("has the identifiers of keys in Base64URL, of any length but none")
    func identifiers() {
        for (text, bytes) in [
            ("AQ", [1]), ("AQI", [1, 2]), ("AQID", [1, 2, 3]), ("-_8", [0xFB, 0xFF]),
        ] as [(String, [UInt8])] {
            #expect(Base64URL.bytes(text) == bytes)
            #expect(Base64URL.text(bytes) == text)
        }
        #expect(ClearKeyRequest(kids: ["AQ", "AQI"]).identifiers == [[1], [1, 2]])
        #expect(ClearKeyRequest(kids: []).identifiers == [])
        for kids in [["AQ", ""], ["AQ", "*"], ["*"]] {
            #expect(ClearKeyRequest(kids: kids).identifiers == nil, "\(kids)")
        }
    }

    @Test(
        "has the size of a picture, which is that of the video or made of one side, up to 3840 by 2160",
        arguments: [
            ("", 1280, 720), ("width=640", 640, 360), ("height=360", 640, 360),
            ("width=64&height=100", 64, 100),
            ("width=3840&height=2160", 3840, 2160), ("width=3841&height=2160", nil, nil),
            ("width=3840&height=2161", nil, nil), ("width=x", nil, nil), ("width=15", nil, nil),
        ] as [(String, Int?, Int?)])
    func pictures(query: String, width: Int?, height: Int?) {
        let size = FrameResponder.size(QueryItems(query), PictureSize(width: 1280, height: 720))
        #expect(size?.width == width && size?.height == height)
    }
}
