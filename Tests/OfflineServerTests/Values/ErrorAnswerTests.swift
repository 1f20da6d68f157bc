import AssetFiles
import AssetStore
import Foundation
import HTTPDaemon
import HTTPTypes
import Testing

@testable import OfflineServer

@Suite("An error as an answer")
struct ErrorAnswerTests {
    private let token: AssetToken

    init() throws { token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV")) }

    @Test("to a program is a conflict where the state of something else is at fault, not the request")
    func conflicts() {
        let table: [(code: StoreError.Code, status: Int)] = [
            (.file(.open, "/films/a.m3u8", errno: EACCES), 409),
            (.file(.read, "/films/a.m3u8", errno: EIO), 409),
            (.file(.open, "/store/catalog.db", errno: EACCES), 500),
            (.file(.read, "/store/catalog.db", errno: EIO), 500),
            (.file(.write, "/films/a.m3u8", errno: EIO), 500),
            (.nothingSelected(wish: "audio xx", offered: []), 409), (.invalidURL("x"), 422),
            (.leftOut([]), 422), (.noSuchAsset("x"), 404), (.diskFull("/store"), 507),
        ]
        for (code, status) in table {
            let problem = StoreError(code).requestProblem(nil, store: "/store")
            #expect(problem.status.code == status, "\(problem.detail)")
        }
    }

    @Test("to a player tells a file that is gone from one that can't be opened or read")
    func files() {
        func kind(_ code: StoreError.Code) -> String { StoreError(code).mediaProblem(token).type }
        #expect(kind(.file(.open, "1.ts", errno: ENOENT)) == "file")
        #expect(kind(.file(.open, "1.ts", errno: EACCES)) != "file")
        #expect(kind(.file(.read, "1.ts", errno: ENOENT)) != "file")
    }

    @Test("about a database elsewhere asks to come back, and does not tell where that is")
    func database() {
        let shared = StoreError(.database("it is down", path: "postgresql://db.example/films")).problem()
        #expect(shared.status == .serviceUnavailable)
        #expect(shared.response.headers[.retryAfter] == "2")
        #expect(!shared.detail.contains("example") && !shared.detail.contains("it is down"))
        let own = StoreError(.database("it is damaged", path: "/store/catalog.db")).problem()
        #expect(own.status == .internalServerError)
        #expect(own.response.headers[.retryAfter] == nil)
    }

    @Test("is a sentence that begins with a capital letter and ends with one mark")
    func sentences() {
        for (clause, sentence) in [
            ("it is full", "It is full."), ("is it full?", "Is it full?"), ("Stop!", "Stop!"), ("a.", "A."),
        ] {
            #expect(clause.asSentence == sentence)
        }
    }

    @Test("about a file of an asset names the step by which the rest comes")
    func remedies() {
        func detail(_ error: AssetFileError) -> String { error.problem(token).detail }
        let (repair, resume) = (Remedy.repair(token), Remedy.resume(token))
        #expect(detail(.nothingStored(rendition: "v", .repairable)).contains(repair))
        #expect(detail(.nothingStored(rendition: "v", .resumable)).contains(resume))
        #expect(detail(.nothingStored(rendition: "v", .arriving)).contains(resume))
        #expect(detail(.incomplete(rendition: "v", .repairable)).contains(repair))
        #expect(detail(.incomplete(rendition: "v", .resumable)).contains(resume))
    }

    @Test(
        "about a gap names its time on the clock",
        arguments: [
            (0, "00:00:00"), (9.9, "00:00:09"), (10, "00:00:10"), (3599, "00:59:59"), (36_610, "10:10:10"),
        ] as [(Double, String)])
    func clock(time: Double, text: String) {
        let problem = AssetFileError.gap(rendition: "v", at: time).problem(token)
        #expect(problem.detail.contains("no media at \(text), since"))
        #expect(problem.status == .conflict)
    }
}
