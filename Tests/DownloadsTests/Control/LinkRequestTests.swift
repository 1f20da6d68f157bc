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
        "changes nothing without a link resolver, except for refused units that the asset does not require"
    )
    func nobody() {
        #expect(!links.ask(token, for: .playlist("video")) && !links.take(token))
        links.ask(token, forOptional: [unit(1)])
        #expect(links.take(token) && !links.take(token))
    }

    @Test("may happen once for each unit, and once for a rendition until bytes of it arrive")
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

    @Test("happens once for the same failure until a playlist arrives")
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

    @Test(
        "is given in the order of the queue; a large download that does not fit does not keep smaller ones out"
    )
    func fitting() {
        let wanted = [tokens[0]: 50 as UInt64, tokens[1]: 60, tokens[2]: 50]
        #expect(RoomShare.fitting(tokens, wanted, room: 100) == [tokens[0], tokens[2]])
        #expect(RoomShare.fitting(tokens, wanted, room: 99) == [tokens[0]])
        #expect(RoomShare.fitting(tokens, [:], room: 0) == tokens)
        #expect(RoomShare.fitting(tokens, [:], room: nil) == [])
    }
}
