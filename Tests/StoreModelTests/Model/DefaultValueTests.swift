import Testing

@testable import StoreModel

@Suite("A value that is made without wishes")
struct DefaultValueTests {
    private let now = Timestamp(milliseconds: 1)

    @Test("a selection takes one variant without I-frames, and a recording begins now")
    func selection() {
        let selection = Selection()
        #expect(!selection.allVariants && !selection.trickPlay)
        #expect(selection.audio == .automatic && selection.subtitles == .automatic)
        #expect(selection.interstitials == nil && selection.additions == nil && selection.recording == nil)
        let recording = Selection.Recording()
        #expect(!recording.fromStart && recording.duration == nil)
    }

    @Test("a request uses no metered connection, takes the media, and insists on their keys")
    func request() {
        let request = AssetRequest(url: "https://h/a.m3u8")
        #expect(!request.isMeteredOK && !request.isPreload && !request.allowsMissingKeys)
        #expect(request.priority == 0 && request.schedule == nil && request.isStrict == nil)
        #expect(request.selection.isAutomatic && request.license.kind == .purchase)
        let access = OriginAccess()
        #expect(!access.isPrivate && access.headers.isEmpty && access.rateLimit == nil)
    }

    @Test("an asset uses no metered connection, and is neither pinned nor watched")
    func asset() {
        let record = AssetRecord(
            token: AssetToken(at: now), name: "a", sourceURL: "u", state: .queued, requestedAt: now)
        #expect(!record.isMeteredOK && !record.isPinned && !record.position.isWatched)
        #expect(record.priority == 0 && record.duration == 0 && record.stateAt == nil)
        let asset = Assets.asset()
        #expect(!asset.isMeteredOK && !asset.position.isWatched && asset.position.seconds == nil)
        #expect(asset.recording == nil && asset.room == nil && asset.rateLimit == nil)
    }

    @Test("a unit is missing, unencrypted, and not in a bucket")
    func unit() {
        let unit = UnitRecord(kind: .segment, number: 1, start: 0, duration: 4, url: "u")
        #expect(unit.state == .missing && unit.encryption == .none && unit.finding == nil)
        #expect(unit.size == nil && unit.object == nil && unit.range == nil)
        let outline = UnitOutline(kind: .segment, number: 1, start: 0, duration: 4, state: .stored)
        #expect(!outline.isInBucket && outline.size == nil && outline.finding == nil)
        let facts = UnitFacts(kind: .segment, start: 0, duration: 4, presence: .stored)
        #expect(facts.number == 0 && facts.finding == nil)
    }

    @Test("a license comes from this store, and no key was handed out under it")
    func license() {
        let license = License(LicenseTerms(), at: now)
        #expect(!license.isForeign && license.keysHandedOut == 0 && license.firstPlayedAt == nil)
        #expect(!LicenseStatus.none.isClockBehind && LicenseStatus.none.keysHandedOut == 0)
    }

    @Test("an engine uses no metered connection, runs at any time, and logs plays")
    func engine() {
        let policy = EnginePolicy()
        #expect(!policy.mayUseMetered && policy.meteredInterfaces.isEmpty)
        #expect(policy.schedule == .always && policy.rateLimit == nil && policy.rateLimitPerHost == nil)
        let settings = EngineSettings()
        #expect(settings.logsPlays && settings.mayUseMetered == nil && settings.hooks.isEmpty)
    }

    @Test("the facts of an asset's health tell no trouble, and its keys have a source")
    func health() {
        let facts = HealthFacts(state: .complete, renditions: [])
        #expect(facts.hasKeySource && !facts.isImported && !facts.isExpired && facts.missingKeys == 0)
        #expect(facts.units.isEmpty && facts.lost.isEmpty && facts.brokenPlaylists.isEmpty)
        #expect(facts.gaps == nil && facts.failure == nil && facts.failedUnit == nil)
    }
}
