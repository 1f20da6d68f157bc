import Testing
import Transfers

@testable import StoreModel

@Suite("An error of a store")
struct StoreErrorTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    private func failure(_ code: TransferError.Code) -> StoreError.Code {
        .transfer(TransferFailure(TransferError(code, url: "http://a.test/x")))
    }

    @Test(
        "may pass by itself with the statuses of a busy or failing origin",
        arguments: [
            (400, false), (404, false), (407, false), (408, true), (409, false), (424, false), (425, true),
            (426, false), (428, false), (429, true), (430, false), (499, false), (500, true), (501, true),
            (503, true), (599, true),
        ] as [(Int, Bool)])
    func statuses(_ status: Int, _ isRetryable: Bool) {
        #expect(StoreError(.status(status, retryAfter: nil)).isRetryable == isRetryable)
    }

    @Test("may pass by itself when other bytes or free files may come, and not when a user has to act")
    func passing() {
        let passing: [StoreError.Code] = [
            failure(.timeout), failure(.connectionLost), .integrity(.changed), .integrity(.cutOff),
            .tooManyFiles("/a"),
        ]
        for code in passing { #expect(StoreError(code).isRetryable, "\(code)") }
        let lasting: [StoreError.Code] = [
            failure(.invalidURL), .integrity(.scheme("x")), .key(.missing), .vault, .storeTooNew,
            .noSuchAsset("T"), .diskFull("/a"), .notEncrypted(token),
        ]
        for code in lasting { #expect(!StoreError(code).isRetryable, "\(code)") }
    }

    @Test("is no failure when the work was ended on purpose")
    func stopped() {
        for reason in StopReason.allCases { #expect(StoreError(.stopped(reason)).isStopped, "\(reason)") }
        for code in [.vault, .integrity(.cutOff), failure(.timeout)] as [StoreError.Code] {
            #expect(!StoreError(code).isStopped, "\(code)")
        }
    }

    @Test("advises a download without the key where that can still be requested")
    func keys() {
        let error = StoreError(.key(.refused(403)), url: "https://h/k")
        let without = "downloads without it"
        #expect(error.message.hasSuffix(without))
        for place in [.asset(token), .renewal] as [CredentialPlace] {
            let message = error.at(place).message
            #expect(message.hasSuffix("; \(place.advice)") && !message.contains(without), "\(message)")
        }
        // An origin that refuses other requests gets credentials, too.
        let refused = StoreError(.status(403, retryAfter: nil)).at(.renewal)
        #expect(refused.message.hasSuffix("; \(CredentialPlace.renewal.advice)"))
    }

    @Test("of a picture that comes too early says whether the playlists will be read or have failed")
    func pictures() {
        func message(_ state: AssetState) -> String {
            StoreError(.wrongState(state, wanted: StoreError.pictureWish)).message
        }
        #expect(message(.failed).contains("has failed, so it can't be given a picture; "))
        #expect(message(.failed).contains("its playlists were never read"))
        #expect(message(.resolving).contains("is resolving, so it can't be given a picture; "))
        #expect(message(.resolving).contains("its playlists are read first"))
    }

    @Test("counts the files beside the one that it names, if there are any")
    func others() {
        func message(_ others: Int) -> String { StoreError(.notInSource("/a", others: others)).message }
        #expect(message(0).contains(": /a; ") && message(1).contains(": /a and 1 more; "))
    }
}

@Suite("An error about the place of a store")
struct StorePlaceErrorTests {
    /// Each code with its name, and what its sentence must name.
    private static let table: [(code: StoreError.Code, name: String, place: String)] = [
        (.mediaElsewhere("s3://b/p"), "media-elsewhere", "s3://b/p"),
        (.catalogElsewhere("postgresql://h/c"), "catalog-elsewhere", "postgresql://h/c"),
        (.foreignSecret("store.key"), "foreign-secret", "store.key"),
        (.migrationUnfinished(from: "/a"), "migration-unfinished", "/a"),
        (.moved(to: "/b", isFinished: true, undo: "delete moved.json"), "moved", "/b"),
        (.moved(to: "/b", isFinished: false, undo: "delete moved.json"), "moved", "/b"),
        (.notEmpty("/b"), "not-empty", "/b"), (.storeActive("http://n:1/"), "store-active", "http://n:1/"),
        (.storeTakenOver, "store-taken-over", "another node"),
    ]

    @Test("says what happened, names the place, and ends with the advice")
    func sentences() {
        for (code, name, place) in Self.table {
            let message = StoreError(code).message
            #expect(code.name == name)
            #expect(message.contains(place), "\(message)")
            #expect(message.contains("; ") && !message.hasSuffix("; "), "\(message)")
            let isOfEngine = ["store-active", "store-taken-over"].contains(name)
            #expect(StoreError(code).errorClass == (isOfEngine ? .engine : .usage), "\(message)")
        }
    }

    @Test("of a moved store tells the way back only when the move has ended")
    func moved() {
        func message(_ isFinished: Bool) -> String {
            StoreError(.moved(to: "/b", isFinished: isFinished, undo: "delete moved.json")).message
        }
        #expect(message(true).hasPrefix("this store was moved to /b; serve that one; "))
        #expect(message(true).hasSuffix(", delete moved.json"))
        #expect(message(false).contains("it is unknown whether that is finished"))
        #expect(message(false).hasSuffix("; run the same command again"))
    }

    @Test("of a bucket is the bucket's own sentence")
    func bucket() {
        let sentence = "the bucket b is full"
        #expect(StoreError(.bucket(sentence, isTemporary: false)).message == sentence)
    }
}
