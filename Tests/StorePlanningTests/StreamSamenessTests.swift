import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("A playlist that the origin has now")
struct StreamSamenessTests {
    private func isSame(_ now: String, _ before: String, isPart: Bool = false) throws -> Bool {
        try Playlists.parsedMedia(now).isSameStream(as: Playlists.parsedMedia(before), isPart: isPart)
    }

    private let stored = Playlists.media(["a.ts", "b.ts", "c.ts"])

    @Test("belongs to the stored stream if its segments are the same, at any addresses")
    func same() throws {
        #expect(try isSame(stored, stored))
        #expect(try isSame(Playlists.media(["a.ts?sig=1", "b.ts?sig=1", "c.ts?sig=1"]), stored))
    }

    @Test(
        "belongs to another stream if it has ended with another number of segments, unless a part was taken")
    func count() throws {
        let longer = Playlists.media(["a.ts", "b.ts", "c.ts", "d.ts"])
        #expect(try !isSame(longer, stored))
        #expect(try isSame(longer, stored, isPart: true))
        #expect(try isSame(Playlists.media(["a.ts", "b.ts", "c.ts", "d.ts"], end: false), stored))
    }

    @Test("belongs to another stream if a segment is a gap, a range or a discontinuity now, or has a section")
    func facts() throws {
        func changed(_ tag: String, before uri: String) -> String {
            stored.replacing("#EXTINF:4,\n\(uri)", with: "\(tag)\n#EXTINF:4,\n\(uri)")
        }
        #expect(try !isSame(changed("#EXT-X-GAP", before: "b.ts"), stored))
        #expect(try !isSame(changed("#EXT-X-BYTERANGE:5@0", before: "b.ts"), stored))
        #expect(try !isSame(changed("#EXT-X-DISCONTINUITY", before: "b.ts"), stored))
        #expect(try !isSame(changed("#EXT-X-MAP:URI=\"i.mp4\"", before: "b.ts"), stored))
        #expect(try !isSame(changed("#EXT-X-DISCONTINUITY", before: "a.ts"), stored))
        #expect(try isSame(changed("#EXT-X-DISCONTINUITY", before: "a.ts"), stored, isPart: true))
        #expect(try !isSame(changed("#EXT-X-DISCONTINUITY", before: "b.ts"), stored, isPart: true))
    }

    @Test("belongs to another stream if it has fewer segments, or other lengths")
    func continuation() throws {
        #expect(try !isSame(Playlists.media(["a.ts", "b.ts"]), stored))
        #expect(try !isSame(Playlists.media(["a.ts", "b.ts", "c.ts"], seconds: 5), stored))
        #expect(try !isSame(Playlists.media(["a.ts", "b.ts"]), stored, isPart: true))
    }

    @Test("belongs to the stored stream if the same segments have keys of the same names")
    func keys() throws {
        func key(_ name: String, token: Int) -> String {
            "#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys.example/\(name)?t=\(token)\"\n"
        }
        let part = Playlists.media(
            ["c.ts", "d.ts"], tags: "#EXT-X-MEDIA-SEQUENCE:2\n" + key("two", token: 1))
        let whole = Playlists.media([
            key("one", token: 2) + "a.ts", "b.ts", key("two", token: 2) + "c.ts", "d.ts",
        ])
        #expect(try isSame(whole, part, isPart: true))
        let other = whole.replacing("/two?", with: "/three?")
        #expect(try !isSame(other, part, isPart: true))
        #expect(try !isSame(whole.replacing("/one?", with: "/two?"), whole))
    }

    @Test("belongs to another stream if the stored segments that were looked at differ, all or some of them")
    func drift() {
        #expect(DriftEvidence().verdict == .same)
        #expect(DriftEvidence(same: 2).verdict == .same)
        #expect(DriftEvidence(different: 2).verdict == .changed)
        #expect(DriftEvidence(same: 1, different: 1).verdict == .mixed)
    }
}
