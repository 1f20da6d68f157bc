public import HLSPlaylist
public import MediaContainers

/// An error of a store, as data: the operation, its object and the reason. `message` makes the sentence.
///
/// ```swift
/// do {
///     let download = try await store.download(DownloadRequest(url: streamURL))
///     print(download.id)
/// } catch {
///     if case .diskFull = error.code { print("no room") } else { print(error.message) }
/// }
/// ```
public struct StoreError: Error, Sendable {
    /// The kind of error, with its facts.
    public var code: Code
    /// The URL concerned, without user information, query and fragment; `nil` without one.
    public var url: String?
    /// The way to give credentials.
    var credentialPlace = CredentialPlace.request

    /// An error that happened to `url`, which must be free of secrets already.
    public init(_ code: Code, url: String? = nil) {
        self.code = code
        self.url = url
    }

    /// The kinds of failure a store knows.
    public enum Code: Sendable {
        /// No asset has this token.
        case noSuchAsset(String)
        /// Another engine holds the store.
        case storeInUse(pid: Int32?)
        /// The store was made by a newer version.
        case storeTooNew
        /// A file operation failed.
        case file(FileOperation, String, errno: Int32)
        /// There is no store in this folder.
        case noStore(String)
        /// A store can't be where it was to be.
        case storeFolder(String, errno: Int32)
        /// The file system of the path has no room left.
        case diskFull(String)
        /// The process, or the machine, has too many files open to open this one; that passes.
        case tooManyFiles(String)
        /// SQLite failed at the catalog at `path`; in its words.
        case database(String, path: String)
        /// The bucket of the store's media failed, in its words; whether that may pass by itself.
        case bucket(String, isTemporary: Bool)
        /// Media of the store are in this bucket, but the engine was started without it.
        case mediaElsewhere(String)
        /// The catalog of the store is in this database, but the engine was started without it.
        case catalogElsewhere(String)
        /// The file with this name differs from that of the store's other nodes.
        case foreignSecret(String)
        /// The store is being filled from another one, at this place, and is not whole yet.
        case migrationUnfinished(from: String)
        /// The store was moved to another place, or may have been; and the step after which it is used again.
        case moved(to: String, isFinished: Bool, undo: String)
        /// A node at this URL is active, so that the shared store can't be moved.
        case storeActive(String)
        /// A store was to be moved to this place, which has something in it.
        case notEmpty(String)
        /// This node did not renew its lease in time: another node may own the store.
        case storeTakenOver
        /// The text is not an http or https URL.
        case invalidURL(String)
        /// The origin answered with this status.
        case status(Int, retryAfter: Int?)
        /// The transfer failed.
        case transfer(TransferFailure)
        /// The answer is no playlist, or a wrong one.
        case playlist(PlaylistError)
        /// The stream can't be downloaded for a reason of its own.
        case ineligible(Ineligibility)
        /// A part of the selection matches nothing; with the choices that the stream has.
        case nothingSelected(wish: String, offered: [String])
        /// A strict request asks for parts that are not in the stream, or that do not apply.
        case leftOut([LeftOut])
        /// The client has sent a different request with this ID before; it made this asset.
        case clientIDTaken(String, AssetToken)
        /// A content key could not be had.
        case key(KeyProblem)
        /// The license of an asset does not allow it.
        case license(LicenseRefusal, AssetToken)
        /// The answer does not fit the playlist.
        case integrity(IntegrityProblem)
        /// The store key is lost, or does not open the sealed keys.
        case vault
        /// The engine that works on the store has its key from another place: there is none at this path.
        case keyElsewhere(String)
        /// The operation does not fit the state of the asset.
        case wrongState(AssetState, wanted: String)
        /// Parts of the asset are not stored.
        case notWhole(AssetToken)
        /// The asset is not encrypted, so that there are no keys and no license.
        case notEncrypted(AssetToken)
        /// The folder or file to be imported is no HLS asset.
        case notImportable(String)
        /// Missing files of an imported asset are missing in its folder, too, or have other bytes there: the path of
        /// one, and the number of others.
        case notInSource(String, others: Int)
        /// An asset that was imported from a folder can't have it done, for there is no stream to ask.
        case imported(wanted: String)
        /// A fresh address leads to another stream, which lacks missing segments of this rendition.
        case notSameStream(String)
        /// The asset has no rendition of this name.
        case noSuchRendition(String)
        /// The asset is of no use without this rendition.
        case mainRendition(String)
        /// The origin has a different stream now than the stored one; with the rendition that shows it.
        case streamChanged(String, of: AssetToken)
        /// The recording of this rendition can't be read again.
        case unreadableRecording(String, PlaylistError)
        /// The settings in this file can't be read: the line, and the fault.
        case settings(String, line: Int, JSONFault)
        /// The settings name a variable or credential, which is not there.
        case unset(String)
        /// A program or server of the user's failed; its exit status or answer, `nil` when it took too long, and the last
        /// line that a program has written to its standard error.
        case service(String, Int32?, said: String?)
        /// The work was ended before its end, without having failed.
        case stopped(StopReason)
    }
}

/// A file operation, as an error names it.
public enum FileOperation: String, Sendable {
    case open, create, read, write, delete, rename, lock
    case makeDirectory = "make the folder"
    case synchronize = "flush"
}

/// Why a stream can't be downloaded.
public enum Ineligibility: Sendable, Equatable {
    /// The stream has no end yet.
    case live
    /// All of it is encrypted for these systems, and no key can be had without them.
    case drm([String])
    /// A variant of the multivariant playlist is a multivariant playlist again.
    case nestedMultivariant
    /// The playlist is empty.
    case empty
    /// Segments have URLs with a scheme that is never fetched.
    case unsupportedScheme(String)
    /// The selection has too many playlists, or too large ones.
    case tooMuch
    /// The I-frames are byte ranges of segments that are encrypted as a whole: a range can't be decrypted without the
    /// bytes before it (RFC 8216, section 6.3.6), so that I-frames are useless by themselves.
    case encryptedRanges
}

/// The kinds of problems with a content key.
public enum KeyProblem: Sendable, Equatable {
    /// A key must have 16 bytes, and 32 with METHOD=AES-256 and AES-256-GCM.
    case length(Int)
    /// A web page came instead.
    case html
    /// The key has no URI, or one that is never fetched.
    case unreachable
    /// The origin refused it with this status.
    case refused(Int)
    /// This provider of the settings answered with this status.
    case declined(provider: String, status: Int)
    /// The key has not been stored, or can't be unsealed.
    case missing
    /// No key of the asset comes from a URI or a provider: users add them, or clients deposit them.
    case nobodyToAsk
    /// The key differs from the one that the stored media are encrypted with.
    case different
    /// The keys of a folder are sealed for another store.
    case sealedForAnother
    /// An imported folder lacks the key.
    case notInFolder
    /// This provider's answer is not a key.
    case unprovided(String)
    /// No media of the asset are encrypted with a key of this name; with the names of the keys that are used.
    case notAmong([String])
}

/// The kinds of problems with the bytes of a segment.
public enum IntegrityProblem: Sendable, Equatable {
    /// Another length than expected, in bytes.
    case length(expected: UInt64, actual: UInt64)
    /// A web page came instead of media.
    case html
    /// Text came instead of media, such as a message of the origin's.
    case text
    /// The origin sent another range of the resource than the requested one.
    case wrongRange
    /// The resource changed while it was being fetched.
    case changed
    /// The bytes end in the middle of a packet or an encrypted block.
    case cutOff
    /// The video of a transport stream has another codec than its neighbors, or is missing.
    case otherPictures
    /// A transport stream is much shorter than the playlist says, unlike those around it.
    case short
    /// It is unknown whether all bytes have arrived.
    case endless
    /// No player can decode the bytes.
    case undecodable(MediaDefect)
    /// The bytes are of another kind, which is not media.
    case foreign(ForeignFormat)
    /// The bytes are of no known kind, although the address or other segments promise a known one.
    case unrecognized
    /// A document that should list the assets of an interstitial does not.
    case notAssetList
    /// The stored bytes differ from what was downloaded.
    case hash
    /// The bytes can't be decrypted with the key that there is for them.
    case undecryptable
    /// The media are encrypted by an unknown scheme or method of this name, which may be empty.
    case scheme(String)
}

/// The class of an error, for programs (`error.class` of the asset object).
public enum ErrorClass: String, Sendable {
    case http, auth, key, disk, parse, integrity, network, unsupported, usage, engine
}

extension StoreError {
    /// The class of the error, for programs.
    public var errorClass: ErrorClass {
        switch code {
        case .status(401, _), .status(403, _), .status(410, _): .auth
        case .status: .http
        case .transfer: .network
        case .playlist, .unreadableRecording: .parse
        case .ineligible: .unsupported
        case .key, .vault, .keyElsewhere, .license: .key
        case .integrity, .streamChanged: .integrity
        case .file, .diskFull, .storeFolder, .bucket: .disk
        case .noSuchAsset, .invalidURL, .nothingSelected, .wrongState, .notWhole, .notEncrypted,
            .notImportable, .notInSource, .imported, .notSameStream, .noSuchRendition, .mainRendition,
            .settings, .unset, .leftOut, .clientIDTaken, .noStore, .mediaElsewhere, .catalogElsewhere,
            .foreignSecret, .migrationUnfinished, .moved, .notEmpty:
            .usage
        case .storeInUse, .storeActive, .storeTooNew, .database, .stopped, .storeTakenOver,
            .service,
            .tooManyFiles:
            .engine
        }
    }

    /// Whether a retry may succeed later without any change on this machine.
    public var isRetryable: Bool {
        switch code {
        case .status(let status, _): status == 408 || status == 425 || status == 429 || status >= 500
        case .transfer(let failure): failure.isRetryable
        case .integrity(.scheme): false
        case .integrity, .tooManyFiles: true
        default: false
        }
    }
}
