import AssetStore
import HTTPDaemon
import HTTPTypes
import Testing

@testable import APIDocuments
@testable import OfflineServer

@Suite("An operation of the API")
struct OperationTests {
    private func operation(_ name: String) throws -> APIOperation {
        try #require(APIOperation.all.first { $0.name == name })
    }

    @Test(
        "is found by its path, with any text but none in the place of the token",
        arguments: [
            (["assets"], ["listAssets", "addAssets"]), (["assets", ""], []), (["assets", "x", ""], []),
            (["assets", "x"], ["getAsset", "editAsset", "deleteAsset"]), (["assets", "x", "y"], []),
            (["assets", "", "pause"], []), (["other", "x"], []), ([], []),
            (["sessions", "codes"], ["makeCode", "endSession"]), (["storage", "prune"], ["pruneStorage"]),
        ] as [([String], [String])])
    func matches(parts: [String], names: [String]) {
        #expect(APIOperation.all.filter { $0.matches(parts) }.map(\.name) == names)
    }

    @Test(
        "is described with the refusals that it may answer with, and no others",
        arguments: [
            ("listAssets", "400 401 503"), ("addAssets", "400 401 409 415 503"),
            ("getAsset", "401 404 409 503"), ("deleteAsset", "401 404 409 503"),
            ("editAsset", "400 401 404 409 415 503"), ("controlAssets", "400 401 404 409 415 503"),
            ("getSettings", "401 503"), ("changeSettings", "400 401 415 503"), ("endSession", "401 404 503"),
            ("search", "400 401 503"),
        ])
    func refusals(name: String, statuses: String) throws {
        let names = OpenAPIRefusal.responses(of: try operation(name)).map { $0.0 }
        #expect(names == statuses.split(separator: " ").map(String.init) + ["default"])
    }

    @Test("tells in its description when to come back only for the refusal that is over soon")
    func retry() {
        for (name, response) in OpenAPIRefusal.components {
            #expect(response.text.contains("\"Retry-After\"") == (name == "Unavailable"), "\(name)")
        }
    }

    @Test("takes the bodies and gives the answers that its description names")
    func actions() throws {
        for (name, body, answer) in [
            ("pauseAsset", "Object", "Asset"), ("resumeAsset", "ResumeRequest", "Asset"),
            ("cancelAsset", "CancelRequest", "Asset"), ("removeAsset", "Object", "Removed"),
        ] {
            let documentation = try operation(name).documentation
            #expect(documentation.body == body && documentation.success.schema == answer, "\(name)")
        }
    }

    @Test("takes numbers of digits alone from a query, and words that the catalog can store")
    func texts() {
        for (text, isNumber) in [("0", true), ("12", true), ("", false), ("+1", false), ("1a", false)] {
            #expect(text.isDigits == isNumber, "\(text)")
        }
        #expect("winter".isStorable && !"win\u{0}ter".isStorable)
        #expect(APIResponder.since(QueryItems(nil)) == 0)
        #expect(APIResponder.since(QueryItems("since=7")) == 7)
        #expect(APIResponder.since(QueryItems("since=")) == nil)
        #expect(APIResponder.since(QueryItems("since=9223372036854775808")) == nil)
    }

    @Test(
        "takes an idempotency key of 1 to 200 visible characters, in quotation marks or without",
        arguments: [
            ("k", "k"), ("\"k\"", "k"), ("!~", "!~"), ("\"", nil), ("\"\"", nil), ("a b", nil), ("a\"b", nil),
            ("\"k", nil), ("k\"", nil), (String(repeating: "k", count: 200), "long"),
            (String(repeating: "k", count: 201), nil),
        ] as [(String, String?)])
    func keys(field: String, key: String?) throws {
        let request = try Request.admitted("/", fields: [("Idempotency-Key", field)])
        let found = try #require(IdempotencyKey.of(request))
        let text = try? found.get()
        #expect(text == (key == "long" ? field : key))
    }

    @Test("is done once at a time for a client's name of it")
    func pending() {
        let pending = PendingRequests()
        let firsts = [pending.begin("a"), pending.begin("a"), pending.begin("b")]
        #expect(firsts == [true, false, true])
        pending.end("a")
        let again = [pending.begin("a"), pending.begin("b")]
        #expect(again == [true, false])
    }
}
