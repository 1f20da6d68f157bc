import HLSPlaylist
import Testing

@testable import StoreModel
@testable import StorePlanning

/// The names of renditions, which are folders and parts of URLs.
struct RenditionNamesTests {
    private func names(_ streams: (RenditionKind, String)...) throws -> [String] {
        var names = RenditionNames()
        return try streams.map { kind, attributes in
            let list = try AttributeList(parsing: attributes)
            return names.name(for: SelectedStream(kind: kind, uri: nil, required: true, listings: [list]))
        }
    }

    @Test(
        "renditions are named by their kind, language and size",
        arguments: [
            (RenditionKind.variant, "BANDWIDTH=1,RESOLUTION=1280x720", "video-720p"),
            (.variant, "BANDWIDTH=1", "video"), (.variant, "BANDWIDTH=1,CODECS=\"mp4a.40.2\"", "audio"),
            (.variant, "BANDWIDTH=1,CODECS=\"avc1.64001f,mp4a.40.2\"", "video"),
            (.audio, "LANGUAGE=\"en-GB\",NAME=\"English\"", "audio-en-gb"),
            (.audio, "NAME=\"Director's cut\"", "audio-director-s-cut"),
            (.subtitles, "LANGUAGE=\"de\"", "subtitles-de"),
            (.closedCaptions, "LANGUAGE=\"en\"", "captions-en"),
            (.iframe, "BANDWIDTH=1,RESOLUTION=640x360", "iframes-360p"),
            (.images, "BANDWIDTH=1,RESOLUTION=640x360", "images-360p"),
            (.video, "NAME=\"Angle 2\"", "video-angle-2"),
        ])
    func plain(_ kind: RenditionKind, _ attributes: String, _ expected: String) throws {
        #expect(try names((kind, attributes)) == [expected])
    }

    @Test("no rendition takes the address of the whole subtitle tracks")
    func reserved() throws {
        #expect(try names((.subtitles, "NAME=\"日本語\"")) == ["subtitles-2"])
    }

    @Test("each name is given once")
    func once() throws {
        let list = "LANGUAGE=\"en\""
        let given = try names((.audio, list), (.audio, list), (.audio, "LANGUAGE=\"en-2\""), (.audio, list))
        #expect(given == ["audio-en", "audio-en-2", "audio-en-2-2", "audio-en-3"])
    }

    @Test(
        "no name can leave its folder or be more than letters, digits and hyphens",
        arguments: [
            "../../etc/passwd", "日本語", "a/b\\c", "..", "%2e%2e", ".hidden", "A B\tC",
            String(repeating: "long", count: 100),
        ])
    func hostile(_ title: String) throws {
        for kind in RenditionKind.allCases {
            let name = try names((kind, "NAME=\"\(title)\""))[0]
            #expect(
                name.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                })
            #expect(!name.hasPrefix("-") && !name.hasSuffix("-") && name.utf8.count <= 48)
        }
    }
}
