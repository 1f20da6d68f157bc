import HTTPTypes
import ModelTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

/// The hosts to which header fields go.
struct HeaderRuleTests {
    private func rule(
        _ headers: [[String]], for hosts: [(String, String, String)] = [],
        stream: String = "https://home.example/x"
    ) -> HeaderRule {
        var access = OriginAccess()
        access.headers = headers
        access.hostHeaders = hosts.map { HostHeader(hosts: $0.0, name: $0.1, value: $0.2) }
        return HeaderRule(access, stream: stream)
    }

    @Test(
        "credentials go to the stream's own host only, for playlists, segments and keys",
        arguments: HeaderRule.Purpose.allCases)
    func credentials(_ purpose: HeaderRule.Purpose) {
        let rule = rule([["authorization", "a"], ["Cookie", "b"]])
        let own = rule.fields(to: "https://HOME.example:443/key", for: purpose)
        #expect(own[.authorization] == "a" && own[.cookie] == "b")
        for other in [
            "https://cdn.example/k", "https://home.example:444/k", "https://home.example.evil/k", "k",
        ] {
            let fields = rule.fields(to: other, for: purpose)
            #expect(fields[.authorization] == nil && fields[.cookie] == nil, "\(other)")
        }
    }

    @Test("other fields go to all hosts of the stream, and to no other host")
    func others() throws {
        let rule = rule([["X-Key", "a"]])
        let name = try #require(HTTPField.Name("X-Key"))
        for purpose in HeaderRule.Purpose.allCases {
            let fields = rule.fields(to: "https://cdn.example/k", for: purpose)
            #expect((fields[name] == "a") == purpose.isOfStream, "\(purpose)")
            #expect(rule.fields(to: "https://home.example/k", for: purpose)[name] == "a")
        }
    }

    @Test("a field for some hosts replaces the field of the same name for all hosts")
    func named() {
        let rule = rule(
            [["Authorization", "a"]],
            for: [("*.cdn.example", "authorization", "b"), ("home.example:8080", "Cookie", "c")])
        #expect(rule.fields(to: "https://e1.cdn.example/k", for: .segment)[.authorization] == "b")
        #expect(rule.fields(to: "https://cdn.example/k", for: .segment)[.authorization] == nil)
        #expect(rule.fields(to: "https://home.example/k", for: .segment)[.authorization] == "a")
        #expect(rule.fields(to: "http://home.example:8080/k", for: .artwork)[.cookie] == "c")
        let all = self.rule([["Authorization", "a"]], for: [("*", "Authorization", "b")])
        #expect(all.fields(to: "https://home.example/k", for: .key)[values: .authorization] == ["b"])
    }

    @Test("user information in the stream's address is a credential of its host")
    func userInformation() {
        let rule = rule([], stream: "https://a%40b:c@home.example/x")
        let basic = "Basic \(Secret.base64(Array("a@b:c".utf8)))"
        #expect(rule.fields(to: "https://home.example/k", for: .key)[.authorization] == basic)
        #expect(rule.fields(to: "https://other.example/k", for: .key)[.authorization] == nil)
        let given = self.rule([["Authorization", "own"]], stream: "https://a:b@home.example/x")
        #expect(given.fields(to: "https://home.example/k", for: .key)[values: .authorization] == ["own"])
        #expect(rule.fields(to: "https://x:y@home.example/k", for: .key)[.authorization] == nil)
        let nobody = self.rule([], stream: "https://@home.example/x")
        #expect(nobody.fields(to: "https://home.example/k", for: .key)[.authorization] == nil)
    }

    @Test(
        "patterns name hosts",
        arguments: [
            ("*", "https://a.b/", true), ("a.b", "https://A.b:1/", true), ("a.b:1", "https://a.b:1/", true),
            ("a.b:1", "https://a.b/", false), ("a.b:443", "https://a.b/", true),
            ("*.b", "https://a.a.b/", true),
            ("*.b", "https://b/", false), ("c*.b", "https://cdn1.b/", true),
            ("c*1.b", "https://cdn2.b/", false),
            ("*a*b", "https://xaxaxb/", true), ("[::1]:80", "http://[::1]/", true),
            ("a", "https://ab/", false),
        ])
    func patterns(_ pattern: String, _ address: String, _ matches: Bool) {
        #expect(HostPattern.isValid(pattern))
        #expect(HostPattern(pattern).matches(address) == matches)
    }

    @Test(
        "a text that can't name a host is not a pattern",
        arguments: ["", "a/b", "a b", "u@h", "h:x", "http://h", "h:1:2"])
    func noPatterns(_ text: String) { #expect(!HostPattern.isValid(text)) }

    @Test("a change replaces the named fields, removes those without a value, and leaves the rest")
    func edits() {
        var access = OriginAccess()
        access.headers = [["Authorization", "old"], ["X-A", "1"], ["X-B", "2"]]
        access.hostHeaders = [HostHeader(hosts: "h", name: "X", value: "1")]
        (access.cookies, access.userAgent) = ("c", "agent")
        var edit = AccessEdit()
        edit.headers = [["authorization", "new"], ["X-B", ""]]
        edit.hostHeaders = [
            HostHeader(hosts: "H", name: "x", value: "2"), HostHeader(hosts: "i", name: "x", value: "3"),
        ]
        edit.userAgent = ""
        access.apply(edit)
        #expect(access.headers == [["X-A", "1"], ["authorization", "new"]])
        #expect(access.hostHeaders == edit.hostHeaders)
        #expect(access.cookies == "c" && access.userAgent == nil)
    }
}
