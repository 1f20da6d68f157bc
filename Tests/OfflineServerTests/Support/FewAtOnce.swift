import Testing

/// Lets only a few tests run at once: each has threads, files and programs of its own, and with all of them at once
/// the process would have thousands.
struct FewAtOnce: TestTrait, SuiteTrait, TestScoping {
    private static let turns = Turns(4)
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.take()
        do {
            try await function()
        } catch {
            await Self.turns.give()
            throw error
        }
        await Self.turns.give()
    }
}

extension Trait where Self == FewAtOnce {
    static var fewAtOnce: FewAtOnce { FewAtOnce() }
}

/// A number of turns that are taken and given back, first come, first served.
actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func give() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
