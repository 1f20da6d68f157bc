import HLSPlaylist
import MediaContainers
import Testing
import Transfers

@testable import Downloads
@testable import StoreModel

@Suite("A failure of a download")
struct FailureKindTests {
    private func transfer(_ code: TransferError.Code) -> StoreError {
        StoreError(.transfer(TransferFailure(TransferError(code, url: "http://o/"))))
    }

    private func status(_ status: Int) -> StoreError { StoreError(.status(status, retryAfter: nil)) }

    @Test("is a message of the origin if a web page or another text came")
    func messages() {
        let problems = [IntegrityProblem.html, .text, .unrecognized, .cutOff, .hash]
        #expect(problems.map(\.isMessage) == [true, true, false, false, false])
    }

    @Test("may pass with more bytes if those that came are the beginning of media")
    func cutOff() {
        let beginnings = [
            IntegrityProblem.cutOff, .undecodable(.boxCut("mdat")), .undecodable(.samplesBeyondData),
            .undecodable(.noMediaData),
        ]
        #expect(beginnings.filter { !$0.mayBeCutOff }.isEmpty)
        let others = [IntegrityProblem.html, .undecodable(.empty), .undecodable(.noMovie), .endless, .hash]
        #expect(others.filter(\.mayBeCutOff).isEmpty)
    }

    @Test("leaves bytes to go on with unless they are wrong or too many")
    func worth() {
        let errors = [
            transfer(.timeout), transfer(.truncated(expected: 9, received: 5)), status(503), status(403),
            StoreError(.stopped(.cancelled)),
        ]
        #expect(errors.filter { !$0.isWorthGoingOn }.isEmpty)
        let others = [
            transfer(.tooLarge(limit: 9)), StoreError(.integrity(.changed)), StoreError(.diskFull("/store")),
        ]
        #expect(others.filter(\.isWorthGoingOn).isEmpty)
    }

    @Test("is one of a file if other files of the store may be sound")
    func files() {
        let errors = [
            StoreError(.file(.write, "/store/x", errno: 5)), StoreError(.tooManyFiles("/store")),
            StoreError(.diskFull("/store")), StoreError(.database("locked", path: "/store/catalog.db")),
        ]
        #expect(errors.map(\.isOfFiles) == [true, true, false, false])
    }

    @Test("is that of a playlist that is missing for good, or is none")
    func absent() {
        let errors = [
            status(403), status(404), status(410),
            StoreError(.playlist(PlaylistError(code: .webPage, line: 0))), StoreError(.ineligible(.empty)),
            StoreError(.ineligible(.nestedMultivariant)),
        ]
        #expect(errors.map(\.isOfAbsentPlaylist) == [Bool](repeating: true, count: 6))
        let others = [status(401), status(503), StoreError(.ineligible(.live)), transfer(.timeout)]
        #expect(others.map(\.isOfAbsentPlaylist) == [Bool](repeating: false, count: 4))
    }
}
