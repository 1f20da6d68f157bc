import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("News of downloads in trouble")
struct ActivityNewsTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 0))

    private func activity(_ doing: AssetActivity.Doing, isStalled: Bool = false) -> AssetActivity {
        AssetActivity(
            doing: doing, since: Timestamp(milliseconds: 0),
            stalledSince: isStalled ? Timestamp(milliseconds: 1) : nil)
    }

    /// The reported activity at each time; `nil` without a report.
    private func told(_ steps: [(Double, AssetActivity?)]) -> [AssetActivity.Doing??] {
        var news = ActivityNews()
        return steps.map { time, activity in
            news.changes(activity.map { [token: $0] } ?? [:], now: time).first.map { $0.activity?.doing }
        }
    }

    @Test("is sent at its beginning, every ten seconds, and at its end")
    func course() {
        let told = told([
            (0, activity(.transferring)), (1, activity(.retrying)), (2, activity(.retrying)),
            (10.9, activity(.retrying)), (11, activity(.retrying)), (12, activity(.transferring)),
            (13, activity(.transferring)),
        ])
        #expect(told == [nil, .some(.retrying), nil, nil, .some(.retrying), .some(.transferring), nil])
    }

    @Test("is sent once of a wait, and again when the next try is at another time")
    func waits() {
        func waiting(until time: Int64?) -> AssetActivity {
            var activity = activity(.waiting)
            activity.nextTryAt = time.map { Timestamp(milliseconds: $0) }
            return activity
        }
        let told = told([
            (0, waiting(until: nil)), (20, waiting(until: nil)), (21, waiting(until: 5)),
            (60, waiting(until: 5)), (61, waiting(until: 6)),
        ])
        #expect(told == [.some(.waiting), nil, .some(.waiting), nil, .some(.waiting)])
        var retrying = activity(.retrying)
        let first = self.told([(0, retrying)])
        retrying.nextTryAt = Timestamp(milliseconds: 5)
        #expect(first == self.told([(0, retrying)]))
        #expect(self.told([(0, activity(.retrying)), (1, retrying)]) == [.some(.retrying), nil])
    }

    @Test("is another trouble at once: a wait after a try, or a stall")
    func change() {
        let told = told([
            (0, activity(.retrying)), (1, activity(.waiting)), (2, activity(.waiting, isStalled: true)),
            (3, activity(.waiting, isStalled: true)),
        ])
        #expect(told == [.some(.retrying), .some(.waiting), .some(.waiting), nil])
        #expect(self.told([(0, activity(.transferring, isStalled: true))]) == [.some(.transferring)])
        #expect(self.told([(0, activity(.finishing)), (1, activity(.resolving))]) == [nil, nil])
    }

    @Test("that comes back is held for ten seconds from its former beginning")
    func flapping() {
        let told = told([
            (0, activity(.retrying)), (1, activity(.transferring)), (2, activity(.retrying)),
            (3, activity(.transferring)), (10, activity(.retrying)),
        ])
        #expect(told == [.some(.retrying), .some(.transferring), nil, nil, .some(.retrying)])
        let later = self.told([
            (0, activity(.retrying)), (1, activity(.transferring)), (10, activity(.transferring)),
            (11, activity(.retrying)),
        ])
        #expect(later == [.some(.retrying), .some(.transferring), nil, .some(.retrying)])
    }

    @Test("ends with no activity when nothing works on the asset any more, once")
    func gone() {
        let told = told([(0, activity(.waiting)), (1, nil), (2, nil)])
        #expect(told == [.some(.waiting), .some(nil), nil])
    }

    @Test("is told of each asset by itself, in the order of their tokens")
    func several() {
        var news = ActivityNews()
        let tokens = (0..<5).map { _ in AssetToken(at: Timestamp(milliseconds: 0)) }
        let all = Dictionary(uniqueKeysWithValues: tokens.map { ($0, activity(.retrying)) })
        #expect(news.changes(all, now: 0).map(\.token) == tokens.sorted())
        #expect(news.changes([:], now: 1).allSatisfy { $0.activity == nil })
    }
}
