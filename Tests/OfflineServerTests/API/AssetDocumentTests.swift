import AssetStore
import Foundation
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer

@Suite("The asset object", .fewAtOnce, .timeLimit(.minutes(2)))
struct AssetDocumentTests {
    private func sample(_ change: (inout Asset) -> Void = { _ in }) async throws -> AssetDocument {
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            change(&asset)
            return AssetDocument(asset: asset, server: "http://127.0.0.1:1", speed: nil)
        }
    }

    private func object(_ document: AssetDocument) -> [String: Any] { Outcome.object(document.json.text) }

    @Test("it has every member of an asset object, those without a value as null")
    func members() async throws {
        let object = object(try await sample())
        #expect(AssetObject.missing(in: object) == [])
        for name in ["reason", "speed", "eta", "error", "live"] {
            #expect(object[name] is NSNull, "\(name)")
        }
        #expect((object["renditions"] as? [[String: Any]])?.count == 3)
    }

    @Test("a complete, encrypted asset has its address, its sizes, and a license without an end")
    func complete() async throws {
        let object = object(try await sample())
        let token = try #require(object["token"] as? String)
        #expect(object["state"] as? String == "complete")
        #expect(object["playlist_url"] as? String == "http://127.0.0.1:1/assets/\(token)/master.m3u8")
        #expect(object["poster"] as? String == "http://127.0.0.1:1/assets/\(token)/poster")
        #expect(object["thumbnail"] as? String == "http://127.0.0.1:1/assets/\(token)/thumbnail")
        #expect(object["store_path"] as? String == "assets/\(token)")
        #expect(object["progress"] as? Double == 1)
        #expect(object["duration"] as? Double == SampleStream.duration)
        #expect(object["subtitle_languages"] as? [String] == ["en"])
        let bytes = try #require(object["bytes"] as? [String: Any])
        #expect(bytes["stored"] as? Int == SampleStream.served.map(\.bytes.count).reduce(0, +))
        #expect(bytes["expected"] as? Int == bytes["stored"] as? Int)
        #expect(bytes["exact"] as? Bool == true)
        let license = try #require(object["license"] as? [String: Any])
        #expect(license["state"] as? String == "valid")
        #expect(license["kind"] as? String == "purchase")
        #expect(license["expires_at"] as? String == "never")
        #expect(license["first_played_at"] is NSNull)
    }

    @Test("an asset that waits for its origin names the time, for programs and for people")
    func waiting() async throws {
        let document = try await sample {
            ($0.state, $0.reason, $0.waitsUntil) = (.downloading, "origin", Timestamp(milliseconds: 0))
        }
        #expect(object(document)["waits_until"] as? String == "1970-01-01T00:00:00.000Z")
        #expect(document.state == "downloading (origin until \(Timestamp(milliseconds: 0).localText))")
        #expect(object(try await sample())["waits_until"] is NSNull)
    }

    @Test("an asset without encryption needs no license and never expires")
    func clear() async throws {
        let license = object(try await sample { $0.license = .none })["license"] as? [String: Any]
        #expect(license?["state"] as? String == "none")
        #expect(license?["kind"] is NSNull)
        #expect(license?["requested_at"] is NSNull)
        #expect(license?["expires_at"] as? String == "never")
    }

    @Test("a missing key is a missing license, whose end is unknown")
    func missingKey() async throws {
        let document = try await sample {
            $0.availability.offline = false
            $0.availability.blockedBy = [.keyMissing]
            ($0.license.state, $0.license.expiry) = (.missing, .unknown)
        }
        let license = object(document)["license"] as? [String: Any]
        #expect(license?["state"] as? String == "missing")
        #expect(license?["expires_at"] is NSNull)
        let playable = object(document)["playable"] as? [String: Any]
        #expect(playable?["blocked_by"] as? [String] == ["key-missing"])
        #expect(playable?["offline"] as? Bool == false)
    }

    @Test("speed and remaining time are given for a running download only")
    func eta() async throws {
        var document = try await sample { $0.state = .downloading }
        document.speed = 1000
        #expect(document.eta == 0)
        #expect(object(document)["speed"] as? Double == 1000)
        document.speed = 0
        #expect(document.eta == nil)
        var begun = try await sample { asset in
            asset.state = .downloading
            for index in asset.renditions.indices {
                asset.renditions[index].storedBytes = 0
                asset.renditions[index].expectedBytes = index == 0 ? 9000 : 0
            }
        }
        (begun.speed, begun.inFlight) = (1000, 3000)
        #expect(begun.eta == 6, "what is in flight has come")
        var paused = try await sample { $0.state = .paused }
        paused.speed = 1000
        #expect(paused.eta == nil)
    }

    @Test("times are RFC 3339 in UTC")
    func times() async throws {
        let document = try await sample {
            $0.requestedAt = Timestamp(milliseconds: 1_769_846_400_123)
            $0.startedAt = nil
        }
        let object = object(document)
        #expect(object["requested_at"] as? String == "2026-01-31T08:00:00.123Z")
        #expect(object["started_at"] is NSNull)
    }

    @Test("without a server the address is the usual one")
    func usualAddress() async throws {
        var document = try await sample()
        document.server = nil
        #expect(document.playlistURL.hasPrefix("http://127.0.0.1:8090/assets/"))
    }

    @Test("the user's own data comes in the order of its names")
    func meta() async throws {
        let document = try await sample { $0.meta = ["b": "2", "a": "\"1\""] }
        #expect(document.json.text.contains(#""meta":{"a":"\"1\"","b":"2"}"#))
    }
}
