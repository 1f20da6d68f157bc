import Testing

@testable import StoreModel

/// Assets for tests.
enum Assets {
    static func asset(_ change: (inout Asset) -> Void = { _ in }) -> Asset {
        var asset = Asset(
            token: AssetToken(at: Timestamp(milliseconds: 1)), name: "a", sourceURL: "https://h/a.m3u8",
            state: .queued, priority: 0, isPinned: false, duration: 40, availability: .nothing,
            health: Health(level: .sound), requestedAt: Timestamp(milliseconds: 1), renditions: [],
            license: LicenseStatus.none, storePath: "a", meta: [:])
        change(&asset)
        return asset
    }
}

@Suite("An asset")
struct AssetTests {
    @Test("is encrypted when it has a license, in whatever state that is")
    func encryption() {
        #expect(!Assets.asset().isEncrypted)
        for state in [.valid, .expired, .revoked, .missing] as [LicenseStatus.State] {
            let asset = Assets.asset { $0.license = LicenseStatus(state: state, expiry: .unknown) }
            #expect(asset.isEncrypted, "\(state)")
        }
    }

    @Test("is recorded while its recording is open and its transfer goes on")
    func recording() {
        let ended = Recording(endedAt: Timestamp(milliseconds: 2), end: .stopped)
        #expect(Recording().isOpen && !ended.isOpen)
        for state in AssetState.allCases {
            func isRecording(_ recording: Recording?) -> Bool {
                Assets.asset { ($0.state, $0.recording) = (state, recording) }.isRecording
            }
            let goesOn = state == .resolving || state == .queued || state == .downloading
            #expect(isRecording(Recording()) == goesOn, "\(state)")
            #expect(!isRecording(ended) && !isRecording(nil), "\(state)")
        }
    }

    @Test("has an exact size when each rendition that has a playlist, and was not given up, has one")
    func exactness() {
        let exact = AssetRendition(Rows.rendition { $0.expectedBytes = 99 })
        let estimated = AssetRendition(Rows.rendition { $0.likelyBytes = 99 })
        let unknown = AssetRendition(Rows.rendition())
        #expect(exact.isExact && !estimated.isExact && !unknown.isExact)
        var (carried, lost) = (estimated, estimated)
        carried.hasPlaylist = false
        lost.failure = "not there"
        // The renditions of the asset, and whether its size is exact.
        let cases: [([AssetRendition], Bool)] = [
            ([], true), ([exact], true), ([exact, carried, lost], true), ([exact, estimated], false),
            ([unknown], false),
        ]
        for (renditions, isExact) in cases {
            #expect(Assets.asset { $0.renditions = renditions }.isSizeExact == isExact)
        }
    }

    @Test("has a transfer that has ended when it is complete, cancelled or failed")
    func terminal() {
        #expect(AssetState.allCases.filter(\.isTerminal) == [.complete, .cancelled, .failed])
    }
}

@Suite("The sentence about an asset that waits")
struct AssetWaitTests {
    private func wait(_ state: AssetState, _ reason: String?) -> String? {
        Assets.asset { ($0.state, $0.reason) = (state, reason) }.wait
    }

    @Test("is there only for a queued or running download that has a reason to wait")
    func states() {
        for state in AssetState.allCases {
            let mayWait = state == .queued || state == .downloading
            #expect((wait(state, "network") != nil) == mayWait, "\(state)")
            #expect((wait(state, Asset.reasonOfNoEngine) != nil) == mayWait, "\(state)")
            #expect(wait(state, nil) == nil, "\(state)")
        }
        for reason in ["user", "preloaded", "evicted", "of a newer version"] {
            #expect(wait(.queued, reason) == nil, "\(reason)")
        }
    }

    @Test("names the missing server, the queue, or the condition, and then the advice")
    func reasons() {
        #expect(wait(.queued, "engine")?.hasPrefix("no server runs on the store; ") == true)
        #expect(wait(.queued, "link")?.hasPrefix("it waits for a fresh address of its stream; ") == true)
        #expect(wait(.queued, "slot")?.hasPrefix("it waits until others are downloaded; ") == true)
        let sentences = WaitReason.allCases.compactMap { wait(.queued, $0.rawValue) }
        #expect(Set(sentences).count == WaitReason.allCases.count)
        for sentence in sentences {
            #expect(sentence.hasPrefix("it waits") && sentence.contains("; "), "\(sentence)")
        }
    }

    @Test("has the times of day, the lacking room and the end of the pause, where they are known")
    func facts() {
        let scheduled = Assets.asset { ($0.reason, $0.schedule) = ("schedule", Schedule("22:00-06:00")) }
        #expect(scheduled.wait?.hasPrefix("it waits for its time of day (22:00-06:00); ") == true)
        let short = Assets.asset {
            $0.reason = "disk"
            $0.room = RoomShortage(needed: 11, .init(quota: 10))
        }
        let need = "it needs 11 B more, and 10 B are left of the quota of 10 B"
        #expect(short.wait?.hasPrefix("it waits for room: \(need); ") == true)
        let end = Timestamp(milliseconds: 1_764_110_697_000)
        let paused = Assets.asset { ($0.reason, $0.waitsUntil) = ("origin", end) }
        #expect(paused.wait?.hasPrefix("it waits until \(end.zonedText): ") == true)
    }
}

@Suite("The figures of an asset that only an engine knows")
struct LiveFiguresTests {
    private let since = Timestamp(milliseconds: 5)
    private let next = Timestamp(milliseconds: 9)

    private func activity(_ doing: AssetActivity.Doing) -> AssetActivity {
        AssetActivity(doing: doing, since: Timestamp(milliseconds: 1))
    }

    private func figures(
        _ state: AssetState, _ reason: String? = nil, known doing: AssetActivity.Doing?
    ) -> LiveFigures {
        let asset = Assets.asset {
            ($0.state, $0.reason) = (state, reason)
            ($0.stateSince, $0.waitsUntil) = (since, next)
        }
        let known = doing.map { LiveFigures(speed: 7, inFlight: 3, activity: activity($0)) }
        return LiveFigures.of(asset, known: known)
    }

    @Test("a queued asset waits since it came into its state, unless the engine knows more of the wait")
    func queued() {
        let waiting = AssetActivity(
            doing: .waiting, since: since, of: TransferLimits.segmentTries, nextTryAt: next)
        #expect(figures(.queued, "network", known: nil) == LiveFigures(activity: waiting))
        #expect(figures(.queued, known: .transferring).activity == waiting)
        #expect(figures(.queued, known: .waiting).activity == activity(.waiting))
        #expect(figures(.queued, known: .waiting).speed == 7)
    }

    @Test("a queued asset without an engine has no activity")
    func withoutEngine() {
        #expect(figures(.queued, Asset.reasonOfNoEngine, known: nil) == LiveFigures())
        #expect(figures(.queued, Asset.reasonOfNoEngine, known: .waiting).activity == nil)
    }

    @Test("a running download does what the engine says, and every other asset does nothing")
    func others() {
        for state in AssetState.allCases where state != .queued {
            let runs = state == .resolving || state == .downloading
            let found = figures(state, known: .retrying)
            #expect(found.activity == (runs ? activity(.retrying) : nil), "\(state)")
            #expect(found.speed == 7 && found.inFlight == 3, "\(state)")
            #expect(figures(state, known: nil) == LiveFigures(), "\(state)")
        }
    }
}

@Suite("The result of a look at stored bytes")
struct VerificationTests {
    private func result(
        missing: [String] = [], damaged: [String] = [], undecodable: [String] = []
    ) -> Verification {
        Verification(
            token: AssetToken(at: Timestamp(milliseconds: 1)), checked: 3, missing: missing,
            damaged: damaged, undecodable: undecodable)
    }

    @Test("is sound when no file is missing, damaged or undecodable")
    func soundness() {
        #expect(result().isSound)
        #expect(!result(missing: ["v/1.ts"]).isSound && !result(damaged: ["v/1.ts"]).isSound)
        #expect(!result(undecodable: ["v/1.ts"]).isSound)
        #expect(!result(missing: ["v/1.ts"], damaged: ["v/2.ts"]).isSound)
    }

    @Test("names the damaged keys apart from the damaged files")
    func keys() {
        #expect(result(damaged: ["v/1.ts", "keys/k0.key"]).closedKeys == ["keys/k0.key"])
    }
}
