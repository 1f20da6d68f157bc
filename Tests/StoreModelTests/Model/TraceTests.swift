import Locking
import Testing

@testable import StoreModel

@Suite("The trace points that requests pass")
struct TraceTests {
    private static let subject = "a walk of TraceTests"
    private let heard = Lock<[String]>([])

    /// Listens to the points of this test only.
    private func listen(as name: String) -> Int {
        Trace.listen { [heard] point in
            guard point.subject == Self.subject else { return }
            heard.withLock { $0.append("\(name) \(point.step.rawValue) of \(point.module)") }
        }
    }

    @Test("reach each listener until it is forgotten, and have their subject made only for a listener")
    func listeners() {
        var made = 0
        func subject() -> String {
            made += 1
            return Self.subject
        }
        Trace.pass(.vault, subject())
        let first = listen(as: "first")
        // A number above 1 tells that another suite listens, too.
        #expect(made == 0 || first > 1)
        let second = listen(as: "second")
        Trace.pass(.vault, subject())
        let point = "\(TraceStep.vault.rawValue) of StoreModelTests"
        let both = heard.withLock { $0.sorted() }
        #expect(both == ["first \(point)", "second \(point)"])
        Trace.forget(first)
        Trace.pass(.vault, subject())
        let more = heard.withLock { Array($0.dropFirst(2)) }
        #expect(more == ["second \(point)"])
        Trace.forget(second)
        Trace.pass(.vault, subject())
        let all = heard.withLock { $0.count }
        #expect(all == 3)
    }
}
