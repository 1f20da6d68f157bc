import Foundation
import Testing

@testable import StoreModel

struct AssetActionTests {
    /// The table of the documentation: what an action makes of a state; a dot for the same, a dash for no.
    private static let table: [(AssetState, [AssetAction: String])] = {
        let actions: [AssetAction] = [
            .pause, .resume, .cancel, .remove, .repair, .resolve, .begin, .yield, .finish, .fail, .extend,
            .evict,
        ]
        let rows = """
            resolving paused . cancelled removing - . - queued complete failed - -
            queued paused . cancelled removing . resolving downloading . - failed . -
            downloading paused . cancelled removing . - . queued complete failed queued -
            paused . queued cancelled removing queued - - - - - . cancelled
            complete . . - removing queued - - - . - queued cancelled
            cancelled . queued . removing queued - - - - - queued .
            failed . queued cancelled removing queued - - - - . queued cancelled
            removing - - - . - - - - - - - -
            """
        return rows.split(separator: "\n").compactMap { row in
            let words = row.split(separator: " ").map(String.init)
            guard let state = AssetState(rawValue: words[0]) else { return nil }
            return (state, Dictionary(uniqueKeysWithValues: zip(actions, words.dropFirst())))
        }
    }()

    @Test("every action on every state follows the table", arguments: AssetState.allCases)
    func table(_ state: AssetState) throws {
        let row = try #require(Self.table.first { $0.0 == state }?.1)
        for action in AssetAction.allCases {
            let expected = row[action]
            switch action.outcome(from: state) {
            case nil: #expect(expected == "-", "\(action)")
            case state?: #expect(expected == ".", "\(action)")
            case let next?: #expect(expected == next.rawValue, "\(action)")
            }
        }
    }

    @Test("doing the same twice is as good as once", arguments: AssetAction.allCases)
    func idempotent(_ action: AssetAction) {
        for state in AssetState.allCases {
            guard let next = action.outcome(from: state), action != .repair else { continue }
            #expect(action.outcome(from: next) == next, "\(state)")
        }
    }

    @Test("an asset that is being removed can't come back")
    func removing() {
        for action in AssetAction.allCases where action != .remove {
            #expect(action.outcome(from: .removing) == nil)
        }
    }
}
