import Testing

@testable import StoreModel

@Suite("The values of config.json")
struct SettingsValueTests {
    @Test("log plays unless they say otherwise")
    func plays() throws {
        #expect(try JSONText.decode(EngineSettings.self, "{}").logsPlays)
        #expect(try JSONText.decode(EngineSettings.self, #"{"log_plays": true}"#).logsPlays)
        #expect(try !JSONText.decode(EngineSettings.self, #"{"log_plays": false}"#).logsPlays)
    }

    @Test("have a hook that is called for its states and kinds of events, or for every event")
    func hooks() {
        func event(_ kind: AssetEvent.Kind, _ state: AssetState? = nil) -> AssetEvent {
            let now = Timestamp(milliseconds: 1)
            return AssetEvent(id: 1, at: now, token: AssetToken(at: now), kind: kind, state: state)
        }
        let service = ExternalService(url: "https://h/")
        let every = EngineSettings.Hook(service: service)
        #expect(every.concerns(event(.added)) && every.concerns(event(.state, .failed)))
        let some = EngineSettings.Hook(on: ["complete", "removed"], service: service)
        #expect(some.concerns(event(.state, .complete)) && some.concerns(event(.removed)))
        #expect(!some.concerns(event(.state, .failed)) && !some.concerns(event(.added)))
        // The state after a change of another kind is no news.
        #expect(!some.concerns(event(.changed, .complete)))
    }

    private func provider(_ members: String) throws -> KeyProviderSettings {
        try JSONText.decode(KeyProviderSettings.self, #"{"name": "a"\#(members)}"#)
    }

    @Test(
        "hold a secret where a header field has a text of its own that is not known to be open",
        arguments: [
            ("", false), (#", "headers": {}"#, false), (#", "headers": {"X-Key": "abc"}"#, true),
            (#", "headers": {"Accept": "*/*", "CONTENT-TYPE": "a/b"}"#, false),
            (#", "headers": {"Accept": "*/*", "X-Key": "abc"}"#, true),
            (#", "headers": {"X-Key": {"env": "V"}}"#, false),
            (#", "headers": {"Accept": {"env": "V"}}"#, false),
        ] as [(String, Bool)])
    func secrets(_ members: String, _ holdsSecrets: Bool) throws {
        #expect(try provider(members).holdsSecrets == holdsSecrets)
    }

    @Test("have the texts of a key provider in order: its key, then its header fields by name")
    func texts() throws {
        let members = #", "key": {"file": "k"}, "headers": {"C": "3", "A": {"env": "V"}, "B": "2"}"#
        let texts = try provider(members).texts
        #expect(try JSONText.plain(texts) == #"[{"file":"k"},{"env":"V"},"2","3"]"#)
        #expect(texts.map(\.isPlain) == [false, false, true, true])
        #expect(try provider("").texts.isEmpty)
    }

    @Test("have a text itself, or one place of it")
    func places() throws {
        let plain = try JSONText.decode(SettingsText.self, #""abc""#)
        #expect(plain.isPlain)
        for place in ["file", "credential", "env"] {
            let text = #"{"\#(place)":"abc"}"#
            let found = try JSONText.decode(SettingsText.self, text)
            let written = try JSONText.plain(found)
            #expect(!found.isPlain && written == text)
        }
        for text in ["{}", #"{"file": "a", "env": "b"}"#, "5"] {
            #expect(throws: (any Error).self) { try JSONText.decode(SettingsText.self, text) }
        }
    }
}

@Suite("The list of an interstitial's assets")
struct InterstitialListTests {
    @Test("has the address and the duration of each asset")
    func assets() throws {
        let text = #"{"ASSETS": [{"URI": "a.m3u8", "DURATION": 15.5}, {"URI": "b.m3u8", "DURATION": 4}]}"#
        let list = try #require(InterstitialList(Array(text.utf8)))
        #expect(list.assets.map(\.uri) == ["a.m3u8", "b.m3u8"])
        #expect(list.assets.map(\.duration) == [15.5, 4])
        let again = try #require(InterstitialList(list.json))
        #expect(again.assets.map(\.uri) == list.assets.map(\.uri))
    }

    @Test(
        "is no list without assets that have both",
        arguments: [
            "", "[]", "{}", "<html>", #"{"ASSETS": [{"URI": "a.m3u8"}]}"#,
            #"{"ASSETS": [{"DURATION": 4}]}"#,
        ])
    func refused(_ text: String) {
        #expect(InterstitialList(Array(text.utf8)) == nil)
    }
}
