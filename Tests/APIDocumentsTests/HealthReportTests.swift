import StoreModel
import Testing

@testable import APIDocuments

@Suite("The health of an asset in words")
struct HealthReportTests {
    private let gap = Samples.problem(.gap) { $0.duration = 28 }
    private let subtitles = LostStream(
        kind: "subtitles", language: "en", reason: "the origin answered 404")

    @Test("of a sound asset is empty; else the worst of it stands behind the state")
    func suffixes() {
        let cases: [(Asset, String)] = [
            (Samples.asset(), ""),
            (Samples.ill([gap], level: .damaged), ", damaged"),
            (Samples.ill([gap]), ", 28 s missing"),
            // A download that is not complete lacks segments anyway.
            (Samples.ill([gap]) { $0.state = .downloading }, ""),
            (Samples.ill([Samples.problem(.unknownMedia)], level: .sound), ", of an unknown kind"),
            (Samples.ill([Samples.problem(.unknownMedia, cause: "short")]), ", odd segments"),
            (
                Samples.ill([
                    Samples.problem(.unknownMedia, cause: "short"), Samples.problem(.unknownMedia),
                ]), ", of an unknown kind"
            ),
        ]
        for (asset, suffix) in cases { #expect(HealthReport.suffix(asset) == suffix) }
    }

    @Test("tells of a license under which nothing plays")
    func licenses() {
        let cases: [(LicenseStatus.State, String)] = [
            (.none, ""), (.valid, ""), (.expired, ", license expired"), (.revoked, ", license revoked"),
            (.missing, ", key missing"),
        ]
        for (state, suffix) in cases {
            let asset = Samples.asset { $0.license = LicenseStatus(state: state, expiry: .unknown) }
            #expect(HealthReport.suffix(asset) == suffix)
        }
    }

    @Test("names the one rendition that it lacks, or says how many")
    func lacking() {
        let givenUp = Samples.problem(.renditionLost, cause: "it is gone")
        #expect(HealthReport.suffix(Samples.ill([givenUp])) == ", without audio de")
        // A stream that could not be read is a problem of the asset, too; it is counted once.
        let unread = Samples.whole(.renditionLost, cause: subtitles.sentence, advice: .addTracks)
        let asset = Samples.ill([unread]) { $0.lost = [subtitles] }
        #expect(HealthReport.suffix(asset) == ", without subtitles en")
        let both = Samples.ill([givenUp, unread]) { $0.lost = [subtitles] }
        #expect(HealthReport.suffix(both) == ", 2 renditions lost")
        let poster = LostStream(kind: LostStream.posterKind, reason: "it is gone")
        #expect(HealthReport.suffix(Samples.asset { $0.lost = [poster] }) == "")
    }

    @Test("has seconds as people say them, and minutes from a minute on")
    func seconds() {
        let cases: [(Double, String)] = [
            (0.5, "0.5 s"), (4, "4 s"), (9.5, "9.5 s"), (10, "10 s"), (9.96, "10 s"), (28.4, "28 s"),
            (59.4, "59 s"), (59.6, "1:00"),
            (60, "1:00"), (90, "1:30"),
        ]
        for (seconds, text) in cases {
            let asset = Samples.ill([Samples.problem(.gap) { $0.duration = seconds }])
            #expect(HealthReport.suffix(asset) == ", \(text) missing")
        }
    }

    @Test("has a line with the advice for each problem, but for those that are told elsewhere")
    func lines() {
        let token = Samples.token()
        let problems = [
            Samples.problem(.segmentMissing, cause: "the origin answered 404", advice: .resume),
            Samples.whole(.licenseExpired, advice: .licenseRenew),
            Samples.problem(.gap, cause: "window"),
            Samples.problem(.renditionLost, cause: "it is gone", advice: .repair),
            Samples.whole(.renditionLost, cause: subtitles.sentence, advice: .addTracks),
        ]
        let place = "1 segment of audio de (4 s from 0:12 on)"
        let resume = "\(Remedy.resume(token)) continues the download"
        let renew = "\(Remedy.renewLicense(token)) gets a new one"
        let repair = "\(Remedy.repair(token)) fetches what is missing or damaged"
        let all: [String] = [
            "\(place) can't be fetched: the origin answered 404; \(resume)",
            "its license has expired, so that it does not play; \(renew)",
            "\(place) is missing: they had left the playlist before they were seen",
            "audio de (Deutsch) was given up: it is gone; \(repair)",
        ]
        let asset = Samples.ill(problems)
        #expect(HealthReport.lines(asset) == all)
        #expect(HealthReport.lines(asset, except: [.gap, .renditionLost]) == Array(all.prefix(2)))
        // The cause of a failed download is its error.
        let failed = Samples.ill(problems) { $0.failure = Samples.failure("the origin answered 404") }
        #expect(HealthReport.lines(failed) == Array(all.dropFirst()))
        let other = Samples.ill(problems) { $0.failure = Samples.failure("the origin answered 500") }
        #expect(HealthReport.lines(other) == all)
    }

    @Test("has a line for each lost rendition: the unread ones first, then those that were given up")
    func losses() {
        let token = Samples.token()
        let problems = [
            gap, Samples.problem(.renditionLost, cause: "it is gone"),
            Samples.whole(.renditionLost, cause: subtitles.sentence, advice: .addTracks),
        ]
        let asset = Samples.ill(problems) { $0.lost = [subtitles] }
        let again = "`offline-server add-tracks \(token) --subtitles en` tries it again"
        let losses: [String] = [
            "subtitles en was left out: the origin answered 404; \(again)",
            "audio de (Deutsch) was given up: it is gone",
        ]
        #expect(HealthReport.losses(asset) == losses)
        #expect(HealthReport.losses(Samples.ill([gap])).isEmpty)
    }

    @Test("tells the options that try a stream again, if there are some")
    func again() {
        let token = Samples.token()
        func command(_ options: String) -> String {
            "; `offline-server add-tracks \(token) \(options)` tries it again"
        }
        let cases: [(LostStream, String)] = [
            (LostStream(kind: "audio", language: "de", reason: "gone"), command("--audio de")),
            (
                LostStream(kind: "variant", bandwidth: 5_000_000, reason: "gone"),
                command("--max-bitrate 5000000")
            ),
            (LostStream(kind: "iframe", reason: "gone"), command("--trick-play")),
            (
                LostStream(kind: "subtitle file", language: "de", reason: "gone"),
                command("--subtitle-file FILE:de")
            ),
            // Only a language tag becomes a part of a command.
            (LostStream(kind: "audio", language: "de; reboot", reason: "gone"), ""),
            (LostStream(kind: "interstitial", reason: "gone"), ""),
            (
                LostStream(kind: "poster", reason: "gone"),
                "; the asset's page, or a PATCH of its `artwork`, sets another picture"
            ),
        ]
        for (lost, advice) in cases {
            let sentence = HealthReport.sentence(lost, of: token)
            #expect(sentence == "\(lost.label) was left out: gone\(advice)")
        }
    }

    @Test("knows an imported folder by media that no player can decode and nothing can mend")
    func folders() {
        let folder = Samples.problem(.undecodable)
        let origin = Samples.problem(.undecodable, advice: .repair)
        let missing = Samples.problem(.segmentMissing, advice: .repair)
        let cases: [([HealthProblem], Bool)] = [
            ([], false), ([gap], false), ([folder], true), ([origin], false), ([folder, origin], false),
            ([folder, missing], true), ([origin, gap], false),
        ]
        for (problems, isOfFolder) in cases {
            #expect(HealthReport.isOfFolder(Samples.ill(problems)) == isOfFolder)
        }
    }
}
