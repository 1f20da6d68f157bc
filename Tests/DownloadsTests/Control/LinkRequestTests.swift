import ModelTestSupport
import StoreTestSupport
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("Asking for a fresh address")
struct LinkRequestTests {
    private let links = LinkRequests()
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    private func unit(_ number: Int, _ rendition: String = "de") -> UnitID {
        UnitID(rendition: rendition, kind: .segment, number: number)
    }

    @Test(
        "is of no use without somebody who knows one, unless units were refused that the asset can do without"
    )
    func nobody() {
        #expect(!links.ask(token, for: .playlist("video")) && !links.take(token))
        links.ask(token, forOptional: [unit(1)])
        #expect(links.take(token) && !links.take(token))
    }

    @Test("may help each unit once, and a rendition once until something of it comes")
    func once() {
        #expect(links.mayHelp(token, unit(1)) && !links.isRefused(token, "de"))
        links.ask(token, forOptional: [unit(1)])
        #expect(!links.mayHelp(token, unit(1)) && !links.mayHelp(token, unit(2)))
        #expect(links.mayHelp(token, unit(1, "fr")) && links.isRefused(token, "de"))
        links.unitCame(token, "de")
        #expect(
            !links.mayHelp(token, unit(1)) && links.mayHelp(token, unit(2)) && !links.isRefused(token, "de"))
    }

    @Test("is done again once it is put back, and forgotten with the asset")
    func forgotten() {
        links.ask(token, forOptional: [unit(1)])
        #expect(links.take(token))
        links.putBack(token)
        links.forget(token)
        #expect(!links.take(token) && links.mayHelp(token, unit(1)))
    }

    @Test("is done once for the same, by a service that knows fresh addresses, until a playlist comes")
    func service() {
        links.resolver = ExternalService(url: "http://127.0.0.1:1/")
        #expect(links.ask(token, for: .playlist("video")) && !links.ask(token, for: .playlist("video")))
        links.came(token, "video")
        #expect(links.ask(token, for: .playlist("video")) && links.take(token))
    }
}

@Suite("Room that assets share")
struct RoomShareTests {
    private let tokens = (1...3).map { AssetToken(at: Timestamp(milliseconds: $0)) }

    @Test("is given to the first ones; a large one that does not fit keeps no smaller one out")
    func fitting() {
        let wanted = [tokens[0]: 50 as UInt64, tokens[1]: 60, tokens[2]: 50]
        #expect(RoomShare.fitting(tokens, wanted, room: 100) == [tokens[0], tokens[2]])
        #expect(RoomShare.fitting(tokens, wanted, room: 99) == [tokens[0]])
        #expect(RoomShare.fitting(tokens, [:], room: 0) == tokens)
        #expect(RoomShare.fitting(tokens, [:], room: nil) == [])
    }
}
