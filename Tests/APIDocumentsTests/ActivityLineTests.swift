import StoreModel
import Testing

@testable import APIDocuments

@Suite("The line about a download in trouble")
struct ActivityLineTests {
    private let start = Timestamp(milliseconds: 10_000)
    private let later = Timestamp(milliseconds: 15_500)

    private func activity(
        _ doing: AssetActivity.Doing, error: AssetFailure? = Samples.failure(), attempt: Int = 2,
        stalled: Timestamp? = nil
    ) -> AssetActivity {
        AssetActivity(
            doing: doing, since: start, attempt: attempt, of: 8, lastError: error, stalledSince: stalled)
    }

    private func asset(_ state: AssetState, reason: String? = nil) -> Asset {
        Samples.asset { ($0.state, $0.reason) = (state, reason) }
    }

    private func listed(_ asset: Asset, _ activity: AssetActivity?) -> String? {
        ActivityLine.short(asset, activity, now: later)
    }

    @Test("names the failure, and the try from the second on")
    func failures() {
        let error = Samples.failure("the network is down")
        func text(_ activity: AssetActivity?) -> String? { ActivityLine.text(activity, now: later) }
        #expect(text(activity(.retrying, error: error)) == "retrying (2 of 8): the network is down")
        #expect(text(activity(.waiting, error: error, attempt: 1)) == "waiting: the network is down")
        // It only waits in the queue, or nothing has failed.
        #expect(text(activity(.waiting, error: nil)) == nil)
        #expect(text(activity(.retrying, error: nil)) == nil)
        #expect(text(activity(.transferring)) == nil && text(nil) == nil)
    }

    @Test("says when the next try is")
    func nextTry() {
        let cases: [(Int64, String)] = [
            (19_500, "; next try in 4 s"), (15_600, "; next try in 1 s"), (15_500, "; trying again now"),
            (12_000, "; trying again now"),
        ]
        for (next, text) in cases {
            var activity = activity(.retrying)
            activity.nextTryAt = Timestamp(milliseconds: next)
            #expect(ActivityLine.text(activity, now: later)?.hasSuffix(text) == true, "\(next)")
        }
    }

    @Test("says in a listing when a failed download is tried again")
    func failed() {
        var waiting = activity(.waiting)
        #expect(listed(asset(.failed), waiting) == nil && listed(asset(.failed), nil) == nil)
        waiting.nextTryAt = later
        #expect(listed(asset(.failed), waiting) == "next try at \(later.localText)")
    }

    @Test("says for how long no byte comes")
    func stalls() {
        let stalled = activity(.transferring, error: nil, stalled: start)
        #expect(ActivityLine.text(stalled, now: later) == "stalled 5 s: no byte comes from the origin")
        // The clock was set back since.
        let back = ActivityLine.text(stalled, now: Timestamp(milliseconds: 4000))
        #expect(back == "stalled 0 s: no byte comes from the origin")
    }

    @Test("reports the reading of playlists from the third second on")
    func reading() {
        let reading = activity(.resolving, error: nil)
        let cases: [(Int64, String?)] = [
            (10_000, nil), (12_999, nil),
            (13_000, "resolving 3 s: its playlists and keys are being read"),
            (15_500, "resolving 5 s: its playlists and keys are being read"),
        ]
        for (now, text) in cases {
            #expect(ActivityLine.text(reading, now: Timestamp(milliseconds: now)) == text)
        }
    }

    @Test("is short in a listing, with the status that the origin answered or the class of the error")
    func short() {
        let running = asset(.downloading)
        let network = Samples.failure("the network is down", errorClass: "network")
        #expect(listed(running, activity(.retrying)) == "retries: 503, try 2 of 8")
        #expect(listed(running, activity(.retrying, error: network)) == "retries: network, try 2 of 8")
        #expect(listed(running, activity(.waiting)) == "waits: 503")
        #expect(listed(running, activity(.waiting, error: nil)) == nil)
        // An error that is over is no trouble.
        #expect(listed(running, activity(.transferring)) == nil)
        #expect(listed(running, activity(.transferring, stalled: start)) == "stalled 5 s")
        #expect(listed(running, nil) == nil)
    }

    @Test("tells nothing of assets that no engine works on")
    func idle() {
        let working: [AssetState] = [.queued, .resolving, .downloading]
        for state in AssetState.allCases {
            let text = listed(asset(state), activity(.retrying))
            #expect((text != nil) == working.contains(state), "\(state)")
        }
    }

    @Test("tells the reason of a wait in words that are clear to people, and its end")
    func waits() {
        let until = Timestamp(milliseconds: 60_000)
        for (reason, words) in [("network", "network"), ("slot", "its turn"), ("engine", "a server")] {
            var waiting = asset(.queued, reason: reason)
            #expect(listed(waiting, nil) == "waits: \(words)")
            waiting.waitsUntil = until
            #expect(listed(waiting, nil) == "waits: \(words) until \(until.localText)")
        }
        var refused = asset(.downloading)
        refused.waitsUntil = until
        #expect(listed(refused, activity(.waiting)) == "waits: 503 until \(until.localText)")
    }

    @Test("calls a recording without trouble a recording")
    func recordings() {
        let recording = Samples.asset { ($0.state, $0.recording) = (.downloading, Recording()) }
        #expect(listed(recording, nil) == "recording")
        #expect(listed(recording, activity(.transferring, error: nil)) == "recording")
        #expect(listed(recording, activity(.transferring, stalled: start)) == "stalled 5 s")
        #expect(listed(recording, activity(.retrying)) == "retries: 503, try 2 of 8")
    }

    @Test("is printed once for each change, not for each segment, and once for the end of the trouble")
    func notices() {
        let running = asset(.downloading)
        func retrying(_ path: String, attempt: Int = 2) -> AssetActivity {
            let url = "http://a.test/\(path)"
            let error = Samples.failure("the origin answered 503 (\(url))", url: url)
            return activity(.retrying, error: error, attempt: attempt)
        }
        var notices = ActivityNotices()
        let steps: [(AssetActivity, String?)] = [
            (activity(.transferring), nil),
            (retrying("7.ts"), "Film: retrying (2 of 8): the origin answered 503 (http://a.test/7.ts)"),
            (retrying("7.ts"), nil), (retrying("8.ts"), nil),
            (
                retrying("8.ts", attempt: 3),
                "Film: retrying (3 of 8): the origin answered 503 (http://a.test/8.ts)"
            ),
            (activity(.transferring), "Film: goes on"), (activity(.transferring), nil),
            (
                activity(.transferring, error: nil, stalled: start),
                "Film: stalled 5 s: no byte comes from the origin"
            ),
        ]
        for (activity, line) in steps {
            let printed = notices.line(running, activity, now: later)
            #expect(printed == line)
        }
        // A complete asset does not go on.
        let ended = notices.line(asset(.complete), nil, now: later)
        #expect(ended == nil)
    }
}
