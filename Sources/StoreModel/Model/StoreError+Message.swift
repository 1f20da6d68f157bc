internal import Glibc
internal import HLSPlaylist
internal import Transfers

extension StoreError {
    /// One sentence: the event, its object and the advice. It holds no secret.
    public var message: String { "\(occurrence)\(advice.map { "; \($0)" } ?? "")" }

    /// The event and its object, in a clause. It holds no secret.
    public var occurrence: String {
        var place = url.map { " (\($0))" } ?? ""
        if case .transfer = code { place = "" }
        return "\(what)\(place)"
    }

    private var what: String {
        switch code {
        case .noSuchAsset(let name): Self.unknown(name)
        case .storeInUse(let pid): Self.inUse(pid)
        case .file(let operation, let path, let errno):
            "could not \(operation.rawValue) \(path): \(Self.text(errno))"
        case .storeFolder(let path, let errno): "the store can't be at \(path): \(Self.text(errno))"
        case .diskFull(let path): "no space left on the file system of \(path)"
        case .tooManyFiles(let path): "too many files are open, so \(path) can't be opened"
        case .database(let text, let path): "the catalog \(path) failed: \(text)"
        case .invalidURL(let text):
            "\(text) is not \(Self.hasHTTPScheme(text) ? "a valid" : "an http or https") URL"
        case .status(let status, _): "the origin answered \(status)\(Self.reason(status))"
        case .transfer(let failure): failure.description
        case .playlist(let error): "not a usable playlist: \(error.description)"
        case .ineligible(let reason): isOfFile ? reason.sentenceOfFile : reason.sentence
        case .nothingSelected(let wish, let offered): Self.nothing(wish, offered)
        case .clientIDTaken(let id, let token):
            "the client id \(id.plainLine) was already used for another request, which made the asset \(token)"
        case .leftOut(let items):
            "the stream does not have everything that was requested: \(items.map(\.sentence).joined(separator: "; "))"
        case .key(let problem): problem.sentence
        case .license(let refusal, let token): refusal.sentence(token)
        case .integrity(let problem): problem.sentence
        case .vault: "the store key does not open the content keys of this store"
        case .keyElsewhere(let path):
            "the store's key is not in \(path): the running server has it from another place"
        case .wrongState(let state, let wanted): "the asset \(Self.phrase(state)), so it can't be \(wanted)"
        case .notWhole: "some segments of the asset are not stored"
        case .notEncrypted: "the asset is not encrypted, so it has neither keys nor a license"
        case .notImportable(let text): text
        case .notInSource(let path, let others):
            "files that the asset needs are missing or changed in the folder it was imported from: \(path)\(Self.more(others))"
        case .imported(let wanted): "the asset was imported from a folder, so it can't be \(wanted)"
        case .notSameStream(let rendition):
            "the address leads to another stream: its \(rendition) differs from the stored one, or lacks segments that are missing in the store"
        case .noSuchRendition(let name): "the asset has no rendition \(name)"
        case .mainRendition(let name): "\(name) is the main rendition of the asset, so it can't be removed"
        case .streamChanged(let name, _):
            "the origin has another stream now: its segments of \(name) differ from the stored ones"
        case .unreadableRecording(let name, let error):
            "the recorded playlist of \(name) can't be read: \(error.description)"
        case .settings(let path, let line, let fault): "\(path), line \(line): \(fault.sentence("key"))"
        case .unset(let name): "the settings name \(name), which is not set"
        case .service(let name, let status, let said):
            "\(name) \(status.map { "answered \($0)" } ?? "could not be asked, or did not answer in time")\(said.map { " and said \"\($0)\"" } ?? "")"
        case .stopped: "the engine was stopped"
        default: placeText
        }
    }

    /// Whether the error concerns a local file: the stream is imported, not downloaded.
    private var isOfFile: Bool { url?.hasPrefix("file:") == true }

    private static func unknown(_ name: String) -> String {
        guard name.hasPrefix(AssetTag.prefix) else { return "no asset has the token \(name)" }
        return "no asset has the tag \(name.dropFirst(AssetTag.prefix.count))"
    }

    private static func inUse(_ pid: Int32?) -> String {
        "the store is in use by another engine\(pid.map { ", process \($0)" } ?? "")"
    }

    private var advice: String? {
        switch code {
        case .playlist(let error) where isOfFile && [.webPage, .empty, .notAPlaylist].contains(error.code):
            "name the playlist file of the stream, or its folder"
        case .playlist(let error): error.code.advice
        case .ineligible(.live) where isOfFile: "if it lists the whole stream, add that line to it"
        case .ineligible(let reason): reason.advice
        case .key(.refused): keyAdvice
        case .key(let problem): problem.advice
        case .transfer(let failure): Self.advice(failure.cause)
        case .integrity(let problem): problem.advice
        case .status(401, _), .status(403, _): credentialPlace.advice
        case .status(let status, let seconds): advice(status, seconds)
        // The messages of these include their advice.
        case .license, .settings, .bucket: nil
        case .notImportable(let text) where text.contains("; "): nil
        default: storeAdvice
        }
    }

    private func advice(_ status: Int, _ retryAfter: Int?) -> String {
        switch status {
        case 404, 410: goneAdvice
        case 429, 500...: retryAfter.map { "try again in \($0) s" } ?? "try again later"
        default: "check the URL, and whether the origin wants other header fields"
        }
    }

    /// The origin of an asset may have had the file before, or have it later.
    private var goneAdvice: String {
        guard case .asset(let token) = credentialPlace else { return "check the URL" }
        return "try again later, or name another address of the stream: \(Remedy.relink(token))"
    }

    private var storeAdvice: String? {
        switch code {
        case .noSuchAsset: "\(Remedy.listAssets) shows them all"
        case .storeFolder(_, let errno): Self.folderAdvice(errno)
        case .nothingSelected: "\(Remedy.lookAtStream) shows what the stream offers"
        case .clientIDTaken: "use a new one for each new request"
        case .leftOut: "ask only for what the stream has, or \(Remedy.leaveStrict)"
        case .storeInUse: "stop it, or \(Remedy.otherStore)"
        case .storeTooNew: "\(Remedy.newerProgram), or \(Remedy.otherStore)"
        case .diskFull: "free some space and run the command again; nothing stored is lost"
        case .tooManyFiles: "let the program open more files (`ulimit -n`, or LimitNOFILE= of systemd)"
        case .file(let operation, _, let errno): Self.advice(operation, errno)
        case .database(_, let path) where path.contains("://"):
            "check that server; nothing that was acknowledged is lost"
        case .database:
            "\(Remedy.checkStore); restore a damaged catalog from a backup, or \(Remedy.otherStore)"
        case .notSameStream: "name an address of the same stream, or download this one as a new asset"
        case .wrongState(.complete, "cancelled"): "\(Remedy.remove) deletes it"
        case .wrongState(let state, Self.pictureWish): Self.pictureAdvice(state)
        case .notInSource(let path, _) where path.contains(".resources/demo/"):
            "install the program again, or \(Remedy.remakeDemo)"
        case .notInSource: "restore them, or \(Remedy.importFolder) the folder as a new asset"
        case .imported: "\(Remedy.importFolder) takes everything in a folder"
        case .noSuchRendition: "\(Remedy.lookAtTracks) shows them all"
        case .mainRendition: "\(Remedy.remove) deletes the whole asset"
        case .streamChanged(_, let token):
            "\(Remedy.acceptChanges(token)) fetches the new one in its place, or download it as a new asset"
        case .unreadableRecording:
            "record the stream as a new asset, for a shorter time \(Remedy.shorterRecording)"
        case .unset: "\(Remedy.environment)"
        case .service: "check its entry in config.json, and try it by hand with the same input"
        case .vault: Self.vaultAdvice
        case .keyElsewhere:
            "run the command with the credential or variable with which the server was started; if the server is only just starting, try again"
        case .notWhole(let token): "\(Remedy.repair(token)) fetches them"
        case .invalidURL(let text) where Self.hasHTTPScheme(text): Self.badURLAdvice
        case .invalidURL: "name one that begins with http:// or https://"
        case .wrongState: "\(Remedy.lookAtAsset) shows what it does"
        case .notEncrypted: "it plays without them"
        case .notImportable: "name a folder or a playlist that is complete"
        case .stopped: "stored media are kept, and \(Remedy.download) goes on with a download"
        default: placeAdvice
        }
    }

    private static func phrase(_ state: AssetState) -> String {
        state == .failed ? "has failed" : "is \(state.rawValue)"
    }

    private static func folderAdvice(_ errno: Int32) -> String {
        switch errno {
        case EACCES, EPERM: "\(Remedy.otherFolder), or check its owner and permissions"
        case EROFS: "\(Remedy.otherFolder), or mount its file system for writing"
        default: "\(Remedy.otherFolder)"
        }
    }

    /// The change that an asset refuses before its playlists have been read.
    package static let pictureWish = "given a picture"

    /// The stream's own picture comes when its playlists are read, and would replace one that is set before.
    private static func pictureAdvice(_ state: AssetState) -> String {
        state == .failed
            ? "its playlists were never read, and the stream may bring a picture; \(Remedy.resume) reads them, then set yours"
            : "its playlists are read first, and the stream may bring a picture; then set yours"
    }

    package static func hasHTTPScheme(_ text: String) -> Bool {
        ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
    }

    package static let badURLAdvice =
        "check its host and its port, which is 65535 at most, and write spaces as %20"

    package static var vaultAdvice: String {
        "restore the file store.key of this store, and check that the environment of the command names no other key; if the service has its key from a credential or variable, run the command with that, or while the service runs; only if the key is lost for good, \(Remedy.giveUpKey) forgets what it sealed; keys that can't be fetched again are lost then, and their assets have to be downloaded again"
    }
    fileprivate static let loginAdvice = "open it in a browser: a login may be needed"
    fileprivate static let addressAdvice = "check that the address is that of an HLS playlist"

    private static func advice(_ error: TransferError) -> String {
        if error.isUntrusted {
            return
                "if a certificate authority of your own has signed it, name that authority's certificate \(Remedy.authority)"
        }
        guard error.proxy == nil else { return "check the address of the proxy, and whether it runs" }
        return switch error.code {
        case .resolve, .connect, .timeout: "check the address and the network"
        case .tooLarge(TransferLimits.playlist): addressAdvice
        case .addressRefused:
            "give the address that the stream has at its origin; only you can name an address in a private network, a playlist can't"
        case .invalidURL:
            "check the address; a host with other letters than a to z is written as punycode (xn--...)"
        default: "try again; if this persists, the origin or the network is at fault"
        }
    }

    private static func advice(_ operation: FileOperation, _ number: Int32) -> String {
        switch (number, operation) {
        case (EACCES, _), (EPERM, _): "check its owner and permissions"
        case (EROFS, _): "mount its file system for writing, or choose another place"
        case (EEXIST, _): "choose a name that is not taken"
        case (ENOENT, .read): "check the path"
        case (ENOENT, .open):
            "check the path; \(Remedy.verify) tells which files of an asset are gone"
        case (EISDIR, _): "name a file, not a folder"
        case (_, .makeDirectory), (ENOENT, _), (ENOTDIR, _), (ENAMETOOLONG, _), (ELOOP, _):
            "choose another place"
        default: "check the disk and its file system"
        }
    }

    private static func text(_ number: Int32) -> String {
        unsafe String(cString: strerror(number))
    }

    private static func more(_ count: Int) -> String {
        count > 0 ? " and \(count) more" : ""
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 401: " Unauthorized"
        case 403: " Forbidden"
        case 404: " Not Found"
        case 410: " Gone"
        case 416: " Range Not Satisfiable"
        case 429: " Too Many Requests"
        case 500: " Internal Server Error"
        case 502: " Bad Gateway"
        case 503: " Service Unavailable"
        default: ""
        }
    }

    private static func nothing(_ wish: String, _ offered: [String]) -> String {
        let list =
            offered.isEmpty ? "it has none" : "it has \(offered.joined(separator: ", ").plainLine)"
        return "the stream does not have the requested \(wish): \(list)"
    }
}

extension PlaylistError.Code {
    /// The advice.
    fileprivate var advice: String {
        switch self {
        case .webPage: StoreError.loginAdvice
        case .empty, .notAPlaylist, .missingDuration: StoreError.addressAdvice
        case .overLimit(.streams): "name the playlist of one variant instead"
        case .overLimit(.segments), .overLimit(.bytes):
            "name the playlist of a shorter part of the stream instead"
        default: "its publisher has to correct it"
        }
    }
}

extension Ineligibility {
    /// The name for programs (`probe`).
    public var name: String {
        switch self {
        case .live: "live"
        case .drm: "drm-unsupported"
        case .nestedMultivariant: "nested-multivariant"
        case .empty: "no-variants"
        case .unsupportedScheme: "unsupported-scheme"
        case .tooMuch: "too-much"
        case .encryptedRanges: "encrypted-ranges"
        }
    }

    /// One clause for people.
    public var sentence: String {
        switch self {
        case .live:
            "the stream is live (its playlist has no EXT-X-ENDLIST) and can be recorded with \(Remedy.record)"
        case .drm(let systems):
            "the stream is encrypted for \(systems.joined(separator: " and ").plainLine) only"
        case .nestedMultivariant: "a variant of the multivariant playlist is a multivariant playlist itself"
        case .empty: "the playlist lists no media"
        case .unsupportedScheme(let scheme):
            "the playlist names media by a \(scheme): URL, which is never fetched"
        case .tooMuch:
            "the request needs more than the \(TransferLimits.playlists) playlists, or \(TransferLimits.playlistBytes >> 20) MiB of playlists, that an asset may have"
        case .encryptedRanges:
            "its I-frames are byte ranges of segments that are encrypted as a whole, so they can't be decrypted alone"
        }
    }

    /// The clause for a stream that is imported from files.
    fileprivate var sentenceOfFile: String {
        self == .live
            ? "the playlist ends without EXT-X-ENDLIST, like that of a stream which goes on" : sentence
    }

    /// The advice.
    fileprivate var advice: String {
        switch self {
        case .drm:
            "only its own service can play such a stream; \(Remedy.allowMissingKeys) stores it all the same, in case you get its keys later (\(Remedy.addKey), or key_providers in config.json)"
        case .nestedMultivariant: "name the playlist of one variant instead"
        case .empty: "try again when it has some, or check the address"
        case .tooMuch: "choose fewer renditions with \(Remedy.fewerRenditions)"
        case .live: "say \(Remedy.record), or wait for its end"
        case .unsupportedScheme:
            "name an address of the stream whose media have http or https URLs, if there is one"
        case .encryptedRanges: "\(Remedy.leaveTrickPlay)"
        }
    }
}

extension KeyProblem {
    package var sentence: String {
        switch self {
        case .length(let count): "the content key has \(count) bytes instead of 16, or 32 with AES-256"
        case .html: "a web page came instead of the content key"
        case .unreachable: "the content key has no URI that can be fetched"
        case .refused(let status): "the origin answered \(status) when asked for the content key"
        case .missing: "a content key is not stored, or can't be unsealed"
        case .nobodyToAsk:
            "no origin or key provider gives the content keys of this asset: they were added, deposited or imported"
        case .notInFolder: "the folder does not have the content key that its playlists name"
        case .sealedForAnother: "the keys of this folder are sealed for another store"
        case .declined(let name, let status):
            "the key provider \(name) answered \(status) when asked for the content key"
        case .unprovided(let name): "the key provider \(name) did not answer with a content key"
        case .different: "the content key is not the one that the stored media are encrypted with"
        case .notAmong: "no media of the asset are encrypted with a content key of this name"
        }
    }

    /// The advice.
    fileprivate var advice: String {
        switch self {
        case .length, .unreachable:
            "\(Remedy.allowMissingKeys) downloads without it, \(Remedy.addKey) gives one later"
        case .html, .refused: StoreError.loginAdvice
        case .missing: "\(Remedy.renewLicense) asks for it, \(Remedy.addKey) gives one"
        case .nobodyToAsk:
            "add a key with \(Remedy.addKey), or let a client of its key system deposit one (PUT); after a revocation this begins a new license; only the store that exported an imported rental can renew it (\(Remedy.sealedExportElsewhere))"
        case .sealedForAnother: "export it again \(Remedy.sealedExport)"
        case .notInFolder: "export it again \(Remedy.sealedExport), or \(Remedy.openExport)"
        case .unprovided, .declined: "check its entry in config.json, and the log of its service"
        case .different:
            "give the right key, or a URL that leads to it, or remove the asset and download it again"
        case .notAmong([]): "\(Remedy.lookAtKeys) has the names of its keys"
        case .notAmong(let names): "give one of these: \(names.joined(separator: ", "))"
        }
    }
}

extension IntegrityProblem {
    /// The advice.
    fileprivate var advice: String {
        switch self {
        case .scheme: "play it without decrypt=1, in a player that decrypts by itself"
        case .undecryptable:
            "\(Remedy.repair) asks for the key again, and fetches what is damaged"
        case .html, .text: StoreError.loginAdvice
        case .hash: "\(Remedy.repair) fetches it again"
        case .length, .wrongRange, .changed, .cutOff, .otherPictures, .short, .endless, .undecodable,
            .foreign, .unrecognized, .notAssetList:
            "try again later; if this persists, the media at the origin are damaged"
        }
    }

    package var sentence: String {
        switch self {
        case .length(let expected, let actual): "\(actual) bytes came instead of \(expected)"
        case .html: "a web page came instead of media"
        case .text: "text came instead of media"
        case .wrongRange: "the origin sent another byte range than the one asked for"
        case .changed: "the resource changed at the origin while it was fetched"
        case .cutOff: "the segment ends in the middle of a packet or an encrypted block"
        case .otherPictures: "the segment has video of another codec than the segments around it, or no video"
        case .short: "the segment is much shorter than the playlist says"
        case .endless: "the origin does not say how long the segment is, so it may be cut off"
        case .undecodable(let defect): "no player can decode what came: \(defect.clause)"
        case .foreign(let format): "\(format.phrase) came instead of media"
        case .unrecognized: "the bytes are not media of any known format"
        case .notAssetList: "the X-ASSET-LIST of an interstitial does not lead to a list of assets"
        case .hash: "the stored bytes differ from what was downloaded"
        case .undecryptable: "the media can't be decrypted with the stored key"
        case .scheme(""): "the media do not say how they are encrypted"
        case .scheme(let name): "the media are encrypted by \(name.plainLine), which can't be decrypted here"
        }
    }
}
