import Testing

@testable import Forwarding

@Suite("A value that tasks wait for", .timeLimit(.minutes(1)))
struct AwaitedTests {
    @Test("is the first that was set, for those who have waited and for those who come later")
    func first() async {
        let awaited = Awaited<Int>()
        let early = (0..<3).map { _ in Task { await awaited.value } }
        awaited.set(1)
        awaited.set(2)
        for task in early { #expect(await task.value == 1) }
        #expect(await awaited.value == 1)
    }
}
