import Testing

@testable import Downloads
@testable import StoreModel

@Suite("Fresh addresses of an asset")
struct AddressRefreshesTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    @Test("may have expired after more than a minute")
    func lifetime() {
        var refreshes = AddressRefreshes()
        #expect(refreshes.mayHaveExpired(token) && refreshes.hasMore(token))
        refreshes.ended(token, nil, now: 1000)
        #expect(!refreshes.mayHaveExpired(token))
        let early = refreshes.expireOld(token, now: 61_000)
        #expect(!early && !refreshes.mayHaveExpired(token))
        let late = refreshes.expireOld(token, now: 61_001)
        #expect(late && refreshes.mayHaveExpired(token))
        let twice = refreshes.expireOld(token, now: 200_000)
        #expect(!twice)
    }

    @Test("are three in a row, until media come")
    func maximum() {
        var refreshes = AddressRefreshes()
        var more: [Bool] = []
        for _ in 0..<3 {
            more.append(refreshes.hasMore(token))
            refreshes.ended(token, nil, now: 0)
        }
        #expect(more == [true, true, true] && !refreshes.hasMore(token))
        let expires = refreshes.expireOld(token, now: 1_000_000)
        #expect(!expires && !refreshes.mayHaveExpired(token))
        refreshes.expire(token)
        #expect(refreshes.mayHaveExpired(token) && !refreshes.hasMore(token))
        refreshes.forget(token)
        #expect(refreshes.hasMore(token))
    }

    @Test(
        "are not counted when the resolver wants to be left alone for more than half a minute",
        arguments: [(30, false), (31, true)])
    func named(_ seconds: Int, _ hasMore: Bool) {
        var refreshes = AddressRefreshes()
        for _ in 0..<3 {
            refreshes.ended(token, StoreError(.status(503, retryAfter: seconds)), now: 0)
        }
        #expect(refreshes.hasMore(token) == hasMore)
    }
}

@Suite("Assets that must not start")
struct StartLocksTests {
    private let tokens = (Int64(1)...3).map { AssetToken(at: Timestamp(milliseconds: $0)) }

    @Test("are held until they are released")
    func held() {
        var locks = StartLocks()
        #expect(locks.mayStart(tokens[0]) && locks.count == 0)
        locks.hold([tokens[0], tokens[1]])
        #expect(!locks.mayStart(tokens[0]) && !locks.isChanging(tokens[0]) && locks.mayStart(tokens[2]))
        #expect(locks.count == 2)
        locks.release([tokens[0]])
        #expect(locks.mayStart(tokens[0]) && !locks.mayStart(tokens[1]) && locks.count == 1)
    }

    @Test("are being changed until the last change has ended")
    func changing() {
        var locks = StartLocks()
        for _ in 0..<2 { locks.beginChange(of: tokens[0]) }
        locks.hold([tokens[1]])
        #expect(locks.isChanging(tokens[0]) && !locks.mayStart(tokens[0]))
        #expect(locks.changing == [tokens[0]] && locks.count == 2)
        let first = locks.endChange(of: tokens[0])
        #expect(!first && locks.isChanging(tokens[0]))
        let last = locks.endChange(of: tokens[0])
        #expect(last && locks.mayStart(tokens[0]) && locks.changing.isEmpty)
    }
}

@Suite("Callers that wait for the playlists of an asset")
struct PlaylistWaitersTests {
    @Test("go on when these are read, which is told if there are any")
    func awaited() async {
        let token = AssetToken(at: Timestamp(milliseconds: 1))
        var waiters = AssetWaiters()
        let nobody = waiters.readPlaylists(of: token)
        #expect(!nobody && !waiters.waitsForPlaylists(of: token))
        let ends = waiters.playlists(of: token)
        #expect(waiters.waitsForPlaylists(of: token))
        let isAwaited = waiters.readPlaylists(of: token)
        #expect(isAwaited && !waiters.waitsForPlaylists(of: token))
        var count = 0
        for await _ in ends { count += 1 }
        #expect(count == 1)
    }
}

@Suite("Renditions that their origin can't give for the moment")
struct OutagesTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    private func unit(_ number: Int, _ rendition: String = "audio") -> UnitID {
        UnitID(rendition: rendition, kind: .segment, number: number)
    }

    @Test("are waited for once, until one of their units comes; each unit once at all")
    func once() {
        let outages = Outages()
        #expect(outages.mayPass(token, unit(0)))
        outages.wait(token, for: [unit(0)])
        #expect(!outages.mayPass(token, unit(0)) && !outages.mayPass(token, unit(1)))
        #expect(outages.mayPass(token, unit(0, "subtitles")))
        outages.unitCame(token, "audio")
        #expect(!outages.mayPass(token, unit(0)) && outages.mayPass(token, unit(1)))
    }

    @Test("let their asset wait once, and are forgotten with its work")
    func asset() {
        let outages = Outages()
        #expect(!outages.take(token))
        outages.wait(token, for: [unit(0)])
        let taken = [outages.take(token), outages.take(token)]
        #expect(taken == [true, false])
        outages.wait(token, for: [unit(0)])
        outages.forget(token)
        #expect(!outages.take(token) && outages.mayPass(token, unit(0)))
    }
}

@Suite("The look whether an asset's stream has drifted")
struct DriftLookTests {
    private let tokens = (Int64(1)...2).map { AssetToken(at: Timestamp(milliseconds: $0)) }

    @Test("happens once for each asset, until it is forgotten")
    func once() {
        var looks = DriftLooks()
        let first = [looks.begin(tokens[0]), looks.begin(tokens[0]), looks.begin(tokens[1])]
        #expect(first == [true, false, true])
        looks.forget(tokens[0])
        let again = [looks.begin(tokens[0]), looks.begin(tokens[1])]
        #expect(again == [true, false])
    }

    @Test("keeps the versions of the first three segments of each rendition")
    func samples() {
        let samples = VersionSamples()
        #expect((0..<4).map { _ in samples.takes(7) } == [true, true, true, false])
        #expect(samples.takes(8))
    }
}

@Suite("The answer of a link resolver")
struct ResolverAnswerTests {
    @Test(
        "is a document with the address, or the address alone in its first line",
        arguments: [
            ("{\"url\": \"http://h/a?b\"}", "http://h/a?b"), ("  http://h/a\nmore\n", "http://h/a"),
            ("http://h/a", "http://h/a"), ("", ""), (" \n", ""),
        ])
    func url(_ answer: String, _ url: String) {
        #expect(Relinker.url(in: Array(answer.utf8)) == url)
    }
}
