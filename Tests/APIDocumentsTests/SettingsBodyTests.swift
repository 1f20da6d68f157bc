import StoreModel
import Testing

@testable import APIDocuments

@Suite("The body of a request for other settings")
struct SettingsBodyTests {
    private func read(_ text: String) -> SettingsBody? { JSONBody.decode(Array(text.utf8)) }

    private var policy: EnginePolicy {
        var policy = EnginePolicy()
        (policy.rateLimit, policy.rateLimitPerHost) = (500, 300)
        (policy.maximumDownloads, policy.mayUseMetered) = (5, true)
        policy.meteredInterfaces = ["wwan*"]
        return policy
    }

    @Test("changes the settings that it names")
    func changes() throws {
        let body = try #require(
            read(
                """
                {"max_downloads": 2, "transfers": 8, "limit_rate": 900, "limit_rate_per_host": 700,
                 "schedule": "22:00-06:00", "metered_ok": false, "metered_interfaces": ["usb0"]}
                """))
        var changed = EnginePolicy()
        (changed.maximumDownloads, changed.transfersPerAsset) = (2, 8)
        (changed.rateLimit, changed.rateLimitPerHost) = (900, 700)
        changed.schedule = try #require(Schedule("22:00-06:00"))
        changed.meteredInterfaces = ["usb0"]
        #expect(body.applied(to: policy) == changed)
    }

    @Test("leaves the settings that it does not name")
    func rest() throws {
        let nothing = try #require(read("{}"))
        #expect(nothing.applied(to: policy) == policy)
        var changed = policy
        changed.rateLimit = 900
        let one = try #require(read(#"{"limit_rate": 900}"#))
        #expect(one.applied(to: policy) == changed)
    }

    @Test("takes a limit away with 0 and with null, as answers have it", arguments: ["0", "null"])
    func noLimit(_ value: String) throws {
        var changed = policy
        changed.rateLimit = nil
        let all = try #require(read(#"{"limit_rate": \#(value)}"#))
        #expect(all.applied(to: policy) == changed)
        changed = policy
        changed.rateLimitPerHost = nil
        let host = try #require(read(#"{"limit_rate_per_host": \#(value)}"#))
        #expect(host.applied(to: policy) == changed)
    }

    @Test(
        "is sound within the range that the engine supports",
        arguments: [
            ("{}", true), (#"{"max_downloads": 1, "transfers": 64}"#, true),
            (#"{"max_downloads": 0}"#, false), (#"{"max_downloads": 65}"#, false),
            (#"{"transfers": 0}"#, false), (#"{"transfers": 65}"#, false),
            (#"{"max_downloads": 2, "transfers": 65}"#, false), (#"{"limit_rate": 0}"#, true),
            (#"{"limit_rate": 9223372036854775807}"#, true),
            (#"{"limit_rate": 9223372036854775808}"#, false),
            (#"{"limit_rate_per_host": 9223372036854775807}"#, true),
            (#"{"limit_rate_per_host": 9223372036854775808}"#, false),
        ] as [(String, Bool)])
    func sound(_ text: String, _ isSound: Bool) {
        #expect((read(text)?.isSound == true) == isSound)
    }
}

@Suite("The body of a report of the playback position")
struct PositionBodyTests {
    private func read(_ text: String) -> PositionBody? { JSONBody.decode(Array(text.utf8)) }

    @Test(
        "has a possible time of a presentation",
        arguments: [
            ("0", true), ("12.5", true), ("1000000000", true), ("1000000001", false), ("-0.5", false),
        ] as [(String, Bool)])
    func times(_ seconds: String, _ isSound: Bool) throws {
        let body = try #require(read(#"{"position": \#(seconds)}"#))
        #expect(body.isSound == isSound)
    }
}
