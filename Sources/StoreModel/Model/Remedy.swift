internal import Locking

/// A step that a message advises. An app takes it by a method of `OfflineStore` or a property of a request, a person
/// by a command or an option: the running program sets the words for it (`use(_:)`).
package enum Remedy: String, Sendable, CaseIterable {
    // The store and the machine.
    case otherStore = "open another store"
    case otherFolder = "open the store in another folder"
    case existingStore = "check the folder; opening a store makes one there"
    case newerProgram = "update the library"
    case environment = "set it where the program is started"
    case nameBucket = "open the store with its media at"
    case nameCatalog = "open the store with its catalog at"
    case checkStore = "check the disk"
    // Steps that look at something.
    case listAssets = "`assets()`"
    case lookAtAsset = "`asset(_:)`"
    case lookAtTracks = "`Asset.renditions`"
    case lookAtStorage = "`storage()`"
    case lookAtKeys = "the list of its keys"
    case lookAtStream = "`offer(for:)`"
    // Steps for an asset.
    case lookAtPlayability = "`Asset.isPlayableOffline`"
    case download = "`DownloadTask.resume()`"
    case verify = "`verify(_:)`"
    case repair = "`repair(_:)`"
    case resume = "`perform(.resume, on:)`"
    case acceptChanges = "`acceptChanges(of:)`"
    case acceptDrift = "`acceptChanges(of:)` with the asset"
    case relink = "`relink(_:to:)`"
    case addTracks = "`addTracks(_:to:)`"
    case remove = "`remove(_:)`"
    case remakeDemo = "remove it and add it again"
    case exportParts = "a file for each part"
    case exportStream = "a transport stream of it"
    case importFolder = "`importAsset(from:)`"
    case prune = "`prune()`"
    case prioritize = "`prioritize(_:_:)`"
    case runEngine = "a program that opens it"
    // Licenses and keys.
    case renewLicense = "`renewLicense(of:)`"
    case addKey = "`addKey(_:identifier:to:)`"
    case addNamedKey = "`addKey(_:id:to:)`"
    case giveUpKey = "a new store"
    case sealedExport = "for this store"
    case sealedExportElsewhere = "an export for this store"
    case openExport = "with its keys"
    // Steps for the access to an origin.
    case credentials =
        "`headers` (`hostHeaders` for a host that is not the stream's own), `cookies` or a fresh URL"
    case relinkCredentials =
        "`relink(_:to:)` takes a fresh URL, and headers or cookies for a fresh or the same one"
    case renewCredentials = "`renewLicense(of:)` takes headers, cookies and a fresh URL"
    case authority = "in `certificateAuthorities`"
    // Steps that change a download's request.
    case leaveStrict = "leave `isStrict` out"
    case record = "`recording`"
    case shorterRecording = "by its `duration`"
    case allowMissingKeys = "`allowsMissingKeys`"
    case fewerRenditions = "`audio` and `subtitles`, and without `includesAllVariants`"
    case leaveTrickPlay = "leave `includesTrickPlay` out"
    case allowMetered = "`EnginePolicy`"
    case raiseQuota = "the `StoragePolicy`"

    /// The words for each step. The default is the raw values, which name methods of the library. `%` stands for the
    /// asset's token.
    package typealias Words = @Sendable (Remedy) -> String

    private static let words = Lock<Words>(\.rawValue)

    /// Has the messages of this process say such words.
    package static func use(_ words: @escaping Words) { Self.words.withLock { $0 = words } }

    /// The words for the step, about the asset that the sentence is about.
    package func callAsFunction(_ token: AssetToken) -> String {
        Self.words.withLock { $0 }(self).replacing("%", with: token.description)
    }
}

extension Remedy: CustomStringConvertible {
    /// The words for the step, about any asset.
    package var description: String { Self.words.withLock { $0 }(self).replacing(" %", with: "") }
}
