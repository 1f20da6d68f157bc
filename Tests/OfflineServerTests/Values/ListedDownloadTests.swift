import AssetStore
import TestSupport
import Testing

@testable import OfflineServerCommands

@Suite("A line of a list of downloads")
struct ListedDownloadTests {
    private static let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"

    private func line(_ text: String) -> ListedDownload {
        ListedDownload(text: text, place: ListedDownload.Place(file: "list", line: 2))
    }

    @Test("has its number among all lines, and the name of its file")
    func numbers() {
        let text = "# a comment\n\n  http://a.test/x  \nhttp://b.test/ #y\n"
        let lines = ListedDownload.all(in: text, of: "-")
        #expect(lines.map(\.text) == ["http://a.test/x", "http://b.test/ #y"])
        #expect(lines.map { $0.place?.line } == [3, 4])
        #expect(lines.allSatisfy { $0.place?.file == "standard input" })
        #expect(ListedDownload.all(in: text, of: "list").allSatisfy { $0.place?.file == "list" })
    }

    @Test("may be JSON, which a word of the command line never is")
    func kinds() {
        #expect(line("{}").isJSON && !line(Self.token).isJSON)
        #expect(!ListedDownload(text: "{}").isJSON && !ListedDownload(text: Self.token).isJSON)
        for named in [line(Self.token), ListedDownload(text: Self.token)] {
            #expect(named.token == AssetToken(Self.token))
        }
        #expect(line("{}").token == nil && line("http://a.test/").token == nil)
    }

    @Test("takes over what the options say, unless it says something that excludes it")
    func exclusive() throws {
        var usual = AssetRequest(url: "")
        usual.selection.minimumBitrate = 100
        usual.license = LicenseTerms(rental: 60)
        let plain = try line(#"{"url": "http://a.test/x.m3u8"}"#).request(usual)
        #expect(plain.url == "http://a.test/x.m3u8" && plain.selection.minimumBitrate == 100)
        #expect(plain.license == LicenseTerms(rental: 60))
        let own = try line(#"{"url": "http://a.test/", "max_bitrate": 500, "purchase": true}"#).request(usual)
        #expect(own.selection.maximumBitrate == 500 && own.selection.minimumBitrate == nil)
        #expect(own.license == LicenseTerms())
        usual.selection.minimumBitrate = nil
        usual.selection.maximumBitrate = 200
        let least = try line(#"{"url": "http://a.test/", "min_bitrate": 500}"#).request(usual)
        #expect(least.selection.maximumBitrate == nil && least.selection.minimumBitrate == 500)
    }

    @Test("is named in its error, with the place in JSON if there is one")
    func failures() {
        let failure = line("{}").failure("no", code: "x", pointer: "/a", suggestion: "b")
        #expect(failure.message == "list, line 2, at /a: no")
        let document = Outcome.object(failure.document ?? "")
        #expect(document["file"] as? String == "list" && document["line"] as? Int == 2)
        #expect(document["pointer"] as? String == "/a" && document["code"] as? String == "x")
        #expect(line("{}").failure("no", pointer: "").message == "list, line 2: no")
        let word = ListedDownload(text: "x").failure("no", pointer: "/a")
        #expect(word.message == "no" && word.document == nil)
    }

    @Test("is named in the store's errors, which stay as they are for a word")
    func named() {
        let error = StoreError(.noSuchAsset("x"))
        let fail: () throws -> Void = { throw error }
        let failure = #expect(throws: CommandFailure.self) { try line("x").named(fail) }
        #expect(failure?.message?.hasPrefix("list, line 2: ") == true)
        let document = Outcome.object(failure?.document ?? "")
        #expect(document["code"] as? String == "no-such-asset")
        #expect(throws: StoreError.self) { try ListedDownload(text: "x").named(fail) }
    }
}

@Suite("A file that a command reads whole")
struct InputFileTests {
    @Test("may have as many bytes as the limit, and not one more")
    func limits() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write([1, 2, 3], to: "file")
        #expect(try InputFile.bytes(file, limit: 3) == [1, 2, 3])
        #expect(try InputFile.bytes(file) == [1, 2, 3])
        let failure = #expect(throws: CommandFailure.self) { try InputFile.bytes(file, limit: 2) }
        #expect(failure?.message == "\(file) is too large: more than 2 B")
    }

    @Test("may be empty, and must be there")
    func nothing() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write([], to: "file")
        #expect(try InputFile.bytes(file) == [])
        #expect(try InputFile.bytes(file, limit: 0) == [])
        #expect(throws: StoreError.self) { try InputFile.bytes(folder.file("none")) }
    }
}
