internal import Foundation
package import SystemPackage

/// The note of a store that takes part in a migration, as the old store or as the new one. A folder has it in a file
/// (`migration.json`), a shared catalog in the table `store_secret`.
///
/// The two stores of one migration have notes with the same id, so that the command continues when it is run again.
package struct MigrationNote: Codable, Sendable, Equatable {
    /// The state of the store that has the note.
    package enum State: String, Codable, Sendable {
        /// The store is being copied. It may be served until the last step begins.
        case leaving
        /// The last step has begun. The other store may already be the valid one.
        case handingOver = "handing-over"
        /// The store was moved: the other one is valid.
        case left
        /// The store is being filled, and is incomplete.
        case arriving
        /// The store was filled, and is the valid one.
        case arrived
    }

    package var id: String
    package var state: State
    /// The other store: a folder with its machine, or the address of a database without a password.
    package var place: String

    package init(id: String, state: State, place: String) {
        (self.id, self.state, self.place) = (id, state, place)
    }

    /// The error of opening a store with this note; `nil` if the store may be opened.
    ///
    /// - Parameter undo: the advice for a user who wants to use this store again after it was moved.
    package func refusal(undo: String) -> StoreError? {
        switch state {
        case .leaving, .arrived: nil
        case .arriving: StoreError(.migrationUnfinished(from: place))
        case .handingOver: StoreError(.moved(to: place, isFinished: false, undo: undo))
        case .left: StoreError(.moved(to: place, isFinished: true, undo: undo))
        }
    }

    /// The same note in another state.
    package func with(_ state: State) -> MigrationNote {
        MigrationNote(id: id, state: state, place: place)
    }

    /// A new `id` that no other migration has. Keys of objects in the bucket have it as the name of their writer.
    package static func freshID() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// - Throws: `storeTooNew` if a newer version has written it.
    init(_ bytes: [UInt8]) throws(StoreError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw StoreError(.storeTooNew)
        }
    }
}

/// The note of a store in a folder.
package struct MigrationFile: Sendable {
    /// The file with the note.
    package let path: FilePath

    package init(_ paths: StorePaths) { path = paths.migration }

    package var note: MigrationNote? {
        get throws(StoreError) {
            guard let bytes = try DurableWrite.read(path, limit: 1 << 16) else { return nil }
            return try MigrationNote(bytes)
        }
    }

    /// Writes the note durably.
    package func write(_ note: MigrationNote) throws(StoreError) {
        try DurableWrite.write(note.bytes + [UInt8(ascii: "\n")], to: path)
    }

    /// Deletes the note.
    package func remove() throws(StoreError) { try FileSystem.unlink(path) }

    /// - Throws: `migrationUnfinished` or `moved` unless the store may be worked on.
    package func check() throws(StoreError) {
        if let refusal = try note?.refusal(undo: "delete \(path)") { throw refusal }
    }
}

/// The note of a shared catalog.
package struct MigrationRow {
    package static let undo = "delete the row `migration` of its table store_secret"
    static let read = "SELECT value FROM store_secret WHERE name = 'migration'"
    private static let replace = SQLText.replacing(in: "store_secret", ["name", "value"])

    package static func note(_ session: any SQLSession) throws -> MigrationNote? {
        try (session.value(read) as [UInt8]?).map { try MigrationNote($0) }
    }

    package static func write(_ note: MigrationNote, _ session: any SQLSession) throws {
        try session.execute(replace, ["migration", note.bytes])
    }
}
