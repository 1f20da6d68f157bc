import StoreModel
import Testing

@testable import APIDocuments

@Suite("A problem of an asset in words")
struct HealthProblemTests {
    private let place = "audio de (4 s from 0:12 on)"

    private func check(_ cases: [(HealthProblem, String)], _ asset: Asset = Samples.asset()) {
        for (problem, text) in cases { #expect(HealthReport.detail(problem, in: asset) == text) }
    }

    @Test("says what is the matter with segments, and where they are")
    func segments() {
        let playlist = Samples.problem(.playlistMissing) { $0.start = nil }
        let sections = Samples.problem(.segmentDamaged) {
            $0.start = nil
            $0.count = 2
        }
        check([
            (Samples.problem(.segmentMissing), "1 segment of \(place) is gone"),
            (Samples.problem(.segmentMissing) { $0.count = 2 }, "2 segments of \(place) are gone"),
            (
                Samples.problem(.segmentMissing, cause: "the origin answered 404"),
                "1 segment of \(place) can't be fetched: the origin answered 404"
            ),
            (Samples.problem(.segmentDamaged), "1 segment of \(place) has other bytes than were stored"),
            // Initialization sections have no start in the presentation.
            (sections, "2 initialization sections of audio de have other bytes than were stored"),
            (playlist, "the playlist of audio de is gone or cut off"),
            (Samples.problem(.undecodable), "no player can decode 1 segment of \(place)"),
        ])
    }

    @Test("says whether the origin has another stream, or the asset has a mixture of two")
    func drifted() {
        let mixture = "audio de has segments of two versions of the stream"
        check([
            (
                Samples.whole(.drifted),
                "the origin has another stream now, and nothing of that is stored"
            ),
            (Samples.problem(.drifted) { $0.start = nil }, mixture),
            (
                Samples.problem(.drifted, cause: "the codecs differ") { $0.start = nil },
                "\(mixture): the codecs differ"
            ),
        ])
    }

    @Test("says why keys keep it from playing")
    func keys() {
        check([
            (Samples.whole(.licenseExpired), "its license has expired, so that it does not play"),
            (Samples.whole(.keyMissing), "a content key is missing, so that it does not play"),
            (
                Samples.whole(.keyMissing, count: 2),
                "2 content keys are missing, so that it does not play"
            ),
        ])
        let revoked = Samples.asset { $0.license = LicenseStatus(state: .revoked, expiry: .unknown) }
        check(
            [(Samples.whole(.keyMissing), "its license was revoked, so that it does not play")], revoked)
    }

    @Test("says why segments are missing for good")
    func gaps() {
        let cases: [(String?, String)] = [
            (nil, " at the origin (EXT-X-GAP)"),
            ("window", ": they had left the playlist before they were seen"),
            ("interrupted", ": the recording was interrupted"), ("restarted", ": the encoder restarted"),
            ("lost", ": the origin listed them but did not have them"), ("flood", ": flood"),
        ]
        for (cause, text) in cases {
            check([(Samples.problem(.gap, cause: cause), "1 segment of \(place) is missing\(text)")])
        }
    }

    @Test("says how media are odd")
    func oddities() {
        let codec = "video of another codec than the segments around, or no video"
        let format = "of a format that this program does not know; some players may play it"
        check([
            (Samples.problem(.unknownMedia), "1 segment of \(place) is \(format)"),
            (
                Samples.problem(.unknownMedia, cause: "other-pictures"),
                "1 segment of \(place) has \(codec)"
            ),
            (
                Samples.problem(.unknownMedia, cause: "other-pictures") { $0.count = 2 },
                "2 segments of \(place) have \(codec)"
            ),
            (
                Samples.problem(.unknownMedia, cause: "short"),
                "1 segment of \(place) is much shorter at the origin than the playlist says"
            ),
        ])
    }

    @Test("names its rendition by the language, else by its folder")
    func names() {
        let asset = Samples.asset {
            $0.renditions.append(
                Samples.rendition("subtitles-en", .subtitles) {
                    $0.language = "en"
                    $0.isForced = true
                })
        }
        let cases: [(String?, String)] = [
            ("audio-de", "audio de"), ("video-360p", "video-360p"), ("audio-fr", "audio-fr"),
            ("subtitles-en", "subtitles en (forced)"), (nil, "the asset"),
        ]
        for (rendition, name) in cases {
            let problem = Samples.problem(.undecodable) { $0.rendition = rendition }
            #expect(HealthReport.name(problem, in: asset) == name)
        }
        // A variant is not known by a language, even if it has one.
        let variant = Samples.rendition("video-360p", .variant) { $0.language = "de" }
        #expect(RenditionName.text(variant) == "video-360p")
    }

    @Test("has no place in the presentation without a length")
    func places() {
        check([
            (Samples.problem(.segmentMissing) { $0.duration = 0 }, "1 segment of audio de is gone"),
            (Samples.problem(.segmentMissing) { $0.duration = nil }, "1 segment of audio de is gone"),
            (
                Samples.problem(.segmentMissing) { $0.duration = 0.5 },
                "1 segment of audio de (0.5 s from 0:12 on) is gone"
            ),
        ])
    }

    @Test("names a rendition that was given up by all that people know it by, each thing once")
    func labels() {
        func asset(title: String?) -> Asset {
            Samples.asset {
                $0.renditions = [
                    Samples.rendition("video-360p", .variant) { $0.resolution = "640x360" },
                    Samples.rendition("audio-de", .audio) { ($0.language, $0.title) = ("de", title) },
                ]
            }
        }
        func lost(_ rendition: String?) -> HealthProblem {
            Samples.problem(.renditionLost, cause: "it is gone") { $0.rendition = rendition }
        }
        let titled = asset(title: "Deutsch")
        check([(lost("audio-de"), "audio de (Deutsch) was given up: it is gone")], titled)
        check([(lost("video-360p"), "variant 640x360 (video-360p) was given up: it is gone")], titled)
        check([(lost("audio-fr"), "audio-fr was given up: it is gone")], titled)
        check([(lost("audio-de"), "audio de was given up: it is gone")], asset(title: "de"))
        check([(lost("audio-de"), "audio de (audio-de) was given up: it is gone")], asset(title: nil))
        check([(lost(nil), "it is gone")])
        let unknown = Samples.problem(.renditionLost)
        check([(unknown, "audio de (Deutsch) was given up: it can't be fetched")])
    }

    @Test("has the step that solves it, if there is one")
    func advice() {
        let token = Samples.token()
        let key = "\(Remedy.addNamedKey(token)) adds one that you have (`key list` shows its ID)"
        let renew = "\(Remedy.renewLicense(token))"
        let cases: [(HealthProblem, String?)] = [
            (
                Samples.problem(.drifted, advice: .repair),
                "\(Remedy.acceptDrift(token)) fetches the whole asset again"
            ),
            (
                Samples.problem(.segmentMissing, advice: .repair),
                "\(Remedy.repair(token)) fetches what is missing or damaged"
            ),
            (
                Samples.problem(.segmentMissing, advice: .resume),
                "\(Remedy.resume(token)) continues the download"
            ),
            (
                Samples.problem(.segmentMissing, advice: .relink),
                "\(Remedy.relink(token)) gives it a fresh address"
            ),
            (Samples.whole(.licenseExpired, advice: .licenseRenew), "\(renew) gets a new one"),
            (Samples.whole(.keyMissing, advice: .licenseRenew), "\(renew) asks for it again, \(key)"),
            (
                Samples.whole(.keyMissing, count: 2, advice: .licenseRenew),
                "\(renew) asks for them again, \(key)"
            ),
            (Samples.whole(.keyMissing, advice: .addKey), key),
            (
                Samples.whole(.renditionLost, advice: .addTracks),
                "\(Remedy.addTracks(token)) tries it again"
            ),
            (Samples.problem(.gap), nil),
        ]
        for (problem, advice) in cases {
            #expect(HealthReport.advice(problem, of: Samples.asset()) == advice)
        }
    }
}
