import StoreModel
import Testing

@testable import Downloads

@Suite("The renewal of a key")
struct KeyRenewalTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test(
        "is an hour before its end, or a tenth of its lifetime if that is less, but at least a minute from now",
        arguments: [
            (48 * 3600, 47 * 3600), (10 * 3600, 9 * 3600), (5 * 3600, 4.5 * 3600), (600, 540), (60, 60),
            (30, 60),
            (-100, 60),
        ] as [(Double, Double)])
    func moment(lifetime: Double, wait: Double) {
        let end = Timestamp(milliseconds: now.milliseconds + Int64(lifetime * 1000))
        let moment = KeyFetcher.moment(ahead: end, now)
        #expect(Double(moment.milliseconds - now.milliseconds) / 1000 == wait)
    }
}
