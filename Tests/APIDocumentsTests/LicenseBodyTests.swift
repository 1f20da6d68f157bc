import StoreModel
import Testing

@testable import APIDocuments

@Suite("The body of a request for a license")
struct LicenseBodyTests {
    private func read(_ text: String) -> LicenseBody? { LicenseBody(Array(text.utf8)) }

    @Test(
        "has terms where one is named, and otherwise keeps the present ones",
        arguments: [
            ("{}", nil), ("", nil), (#"{"via_url": "http://a.test/b"}"#, nil), (#"{"purchase": false}"#, nil),
            (#"{"purchase": true}"#, LicenseTerms()), (#"{"rental": 60}"#, LicenseTerms(rental: 60)),
            (#"{"rental": "2m"}"#, LicenseTerms(rental: 120)),
            (#"{"play_window": "1h"}"#, LicenseTerms(playWindow: 3600)),
            (
                #"{"purchase": false, "rental": 60, "play_window": 5}"#,
                LicenseTerms(rental: 60, playWindow: 5)
            ),
            (#"{"purchase": true, "play_window": 5}"#, LicenseTerms(playWindow: 5)),
        ] as [(String, LicenseTerms?)])
    func terms(_ text: String, _ terms: LicenseTerms?) throws {
        let body = try #require(read(text))
        #expect(body.terms == terms)
    }

    @Test(
        "is none where members exclude each other, or have a wrong type",
        arguments: [
            #"{"purchase": true, "rental": 60}"#, #"{"rental": 0}"#, #"{"rental": "soon"}"#,
            #"{"purchase": 1}"#, #"{"headers": ["X"]}"#, #"{"headers_for": {"a b": ["X: 1"]}}"#, "[]",
        ])
    func wrong(_ text: String) {
        #expect(read(text) == nil)
    }

    /// A body whose members may exclude each other.
    private func unchecked(_ text: String) -> LicenseBody? { JSONBody.decode(Array(text.utf8)) }

    @Test("names the member that is too much, or the header fields that can't be sent")
    func conflicts() throws {
        let cases: [(String, String?)] = [
            (#"{"purchase": true, "rental": 60}"#, "/rental"), (#"{"purchase": true}"#, nil),
            (#"{"rental": 60}"#, nil), (#"{"purchase": false, "rental": 60}"#, nil),
            (#"{"headers": ["X: 1", "Y"]}"#, "/headers"), (#"{"headers": ["X: 1"]}"#, nil),
            (#"{"headers_for": {"*.a.test": ["X"]}}"#, "/headers_for"),
            (#"{"headers_for": {"a b": ["X: 1"]}}"#, "/headers_for"),
            (#"{"headers_for": {"*.a.test:8080": ["X: 1"]}}"#, nil),
        ]
        for (text, pointer) in cases {
            let body = try #require(unchecked(text))
            #expect(body.conflict?.pointer == pointer, "\(text)")
        }
    }

    @Test(
        "says the same when it is written and read again",
        arguments: [
            nil, LicenseTerms(), LicenseTerms(rental: 60), LicenseTerms(playWindow: 5),
            LicenseTerms(rental: 60, playWindow: 5),
        ] as [LicenseTerms?])
    func inverse(_ terms: LicenseTerms?) throws {
        var edit = AccessEdit()
        edit.headers = [["X", "1"]]
        edit.hostHeaders = [HostHeader(hosts: "a.test", name: "Y", value: "2")]
        (edit.cookies, edit.userAgent, edit.proxy) = ("c", "U", "http://p.test")
        edit.certificateAuthority = "/ca.pem"
        let written = LicenseBody(terms, via: "http://a.test/b", edit)
        // The kind of the terms is named; a rental is no purchase.
        #expect(written.purchase == terms.map { $0.rental == nil })
        let body = try #require(LicenseBody(try JSONBody.encode(written)))
        #expect(body.terms == terms)
        #expect(body.viaUrl == "http://a.test/b")
        #expect(body.accessEdit == edit)
    }

    @Test("has header fields in the order of the hosts that they are for")
    func order() throws {
        let hosts = (1...9).map { "host\($0).test" }
        let members = hosts.reversed().map { #""\#($0)": ["A: 1", "B: 2"]"# }.joined(separator: ", ")
        let body = try #require(read(#"{"headers_for": {\#(members)}}"#))
        let fields = body.accessEdit.hostHeaders
        #expect(fields.map(\.hosts) == hosts.flatMap { [$0, $0] })
        #expect(fields.prefix(2).map(\.name) == ["A", "B"] && fields.first?.value == "1")
    }
}
