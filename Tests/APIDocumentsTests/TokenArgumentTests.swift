import AssetStore
import SystemPackage
import Testing

@testable import APIDocuments

@Suite("The assets that a text names")
struct TokenArgumentTests {
    /// The reader of a store without assets.
    private let reader = StoreReader(
        paths: StorePaths(root: FilePath("/nowhere")), catalog: nil, vault: nil)
    private let token = Samples.token(1)

    /// What is said to be no asset; `nil` when the texts name some.
    private func refused(_ texts: [String], mustExist: Bool = false) -> String? {
        do throws(StoreError) {
            if mustExist {
                _ = try TokenArgument.existing(texts, reader)
            } else {
                _ = try TokenArgument.expand(texts, reader)
            }
            return nil
        } catch {
            guard case .noSuchAsset(let text) = error.code else { return error.code.name }
            return text
        }
    }

    @Test("are those of its token, in upper or lower case")
    func tokens() throws {
        let text = token.description
        let other = Samples.token(2)
        #expect(try TokenArgument.expand([text.lowercased()], reader) == [token])
        #expect(try TokenArgument.expand([other.description, text], reader) == [other, token])
        #expect(try TokenArgument.expand([], reader).isEmpty)
    }

    @Test("are none of a text that is no token, and the message has no secret of an address")
    func noTokens() {
        #expect(refused(["film"]) == "film")
        #expect(refused([token.description, "film"]) == "film")
        #expect(refused(["http://user:pass@a.test/b?key=secret"]) == "http://a.test/b")
    }

    @Test("are none of a tag that no asset has")
    func tags() {
        #expect(refused(["tag:films"]) == "tag:films")
        #expect(refused([token.description, "tag:films"]) == "tag:films")
    }

    @Test("must be in the store where that is asked for")
    func existing() {
        #expect(refused([token.description]) == nil)
        #expect(refused([token.description], mustExist: true) == token.description)
    }

    @Test("are all without a list of texts; else those that it names, beside the texts that name none")
    func control() throws {
        let all = try ControlBody(action: "pause", tokens: nil).named(in: reader)
        #expect(all?.tokens == nil && all?.unknown == nil)
        let texts = ["film", token.description, "tag:films", token.description]
        let some = try ControlBody(action: "pause", tokens: texts).named(in: reader)
        #expect(some?.tokens == [token] && some?.unknown == ["film", "tag:films"])
        let nothing = try ControlBody(action: "pause", tokens: []).named(in: reader)
        #expect(nothing?.tokens == [] && nothing?.unknown == [])
        do throws(StoreError) {
            _ = try ControlBody(action: "pause", tokens: ["film", "tag:films"]).named(in: reader)
            Issue.record("a text that names nothing was accepted")
        } catch {
            #expect(error.code.name == StoreError(.noSuchAsset("film")).code.name)
        }
    }
}
