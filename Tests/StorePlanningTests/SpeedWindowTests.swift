import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("The speed of the last seconds")
struct SpeedWindowTests {
    @Test("is told from the first second on, over the time since it began")
    func beginning() {
        var window = SpeedWindow(now: 100)
        window.add(500, now: 100.5)
        #expect(window.speed(now: 100.99) == nil)
        #expect(window.speed(now: 101) == 500)
        window.add(500, now: 101)
        #expect(window.speed(now: 102) == 500 && window.total == 1000 && window.last == 101)
    }

    @Test("counts the bytes of the last three seconds; without any there is no speed")
    func sliding() {
        var window = SpeedWindow(now: 0)
        window.add(3000, now: 0)
        window.add(600, now: 5)
        let speed = window.speed(now: 5) ?? 0
        #expect(speed > 200 && speed < 220)
        let steady = window.speed(now: 7.75) ?? 0
        #expect(steady >= 200 && steady < 220)
        #expect(window.speed(now: 8) == nil && window.speed(now: 1000) == nil)
        #expect(window.total == 3600)
    }

    @Test("is that of a steady stream, whenever it is asked")
    func steady() {
        var window = SpeedWindow(now: 10)
        for tick in 1...400 { window.add(10, now: 10 + Double(tick) / 100) }
        let speed = window.speed(now: 14) ?? 0
        #expect(abs(speed - 1000) < 90)
        window.add(0, now: 13)
        #expect(window.last == 14)
    }
}
