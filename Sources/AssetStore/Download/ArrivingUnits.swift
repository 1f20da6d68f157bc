internal import Locking
internal import SystemPackage

/// The name of a unit in its asset.
struct UnitPlace: Hashable, Sendable {
    var rendition: String
    var kind: UnitKind
    var number: Int
}

/// The permanent name of a unit: where it belongs, never where it came from.
struct UnitKey: Hashable, Sendable {
    var token: AssetToken
    var place: UnitPlace
}

/// The units that are on their way or asked for, with the files that they grow in: one file for each, whoever comes
/// first, so that its transfer and all its readers meet.
final class ArrivingUnits: Sendable {
    private struct Entry {
        var file: PartialFile
        var isBegun = false
    }

    private let entries = Lock<[UnitKey: Entry]>([:])

    /// The file of a unit whose transfer runs, has ended, or is asked for.
    func file(_ key: UnitKey) -> PartialFile? { entries.withLock { $0[key]?.file } }

    /// The file that a unit grows in, or will.
    func expect(_ key: UnitKey, at path: FilePath) -> PartialFile {
        entries.withLock { entries in
            let entry = entries[key] ?? Entry(file: PartialFile(at: path))
            entries[key] = entry
            return entry.file
        }
    }

    /// The same, for the transfer that begins.
    func begin(_ key: UnitKey, at path: FilePath) -> PartialFile {
        entries.withLock { entries in
            let file = entries[key]?.file ?? PartialFile(at: path)
            entries[key] = Entry(file: file, isBegun: true)
            return file
        }
    }

    /// The unit is stored, or its transfer has failed.
    func end(_ key: UnitKey) { entries.withLock { $0[key] = nil } }

    /// Ends the wait for what was asked for and is not fetched.
    func abandon(_ key: UnitKey, _ reason: StoreError? = nil) {
        let file = entries.withLock { entries in
            guard let entry = entries[key], !entry.isBegun else { return nil as PartialFile? }
            entries[key] = nil
            return entry.file
        }
        file?.finish(.failed(reason))
    }

    /// Ends the wait for everything of an asset that is not fetched.
    func abandonAll(of token: AssetToken, _ reason: StoreError? = nil) {
        let files = entries.withLock { entries in
            let waiting = entries.filter { $0.key.token == token && !$0.value.isBegun }
            for key in waiting.keys { entries[key] = nil }
            return waiting.values.map(\.file)
        }
        for file in files { file.finish(.failed(reason)) }
    }
}
