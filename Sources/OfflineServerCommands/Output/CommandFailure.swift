internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// The failure of a command, with its exit status.
struct CommandFailure: Error {
    /// The message; `nil` if it has been printed.
    var message: String?
    var status: Int32
    /// The store's error that caused it.
    var error: StoreError?
    /// The problem document of a server's answer, in one line.
    var document: String?

    /// Done.
    static let succeeded: Int32 = 0
    static let failed: Int32 = 1
    /// The answer is no.
    static let no: Int32 = 2
    static let noSuchAsset: Int32 = 3
    /// `EX_USAGE` of sysexits.h.
    static let usage: Int32 = 64
    /// `EX_TEMPFAIL`: another engine works on the store.
    static let storeInUse: Int32 = 75
    /// The status that shells give a program that SIGINT has ended.
    static let interrupted: Int32 = 130

    init(message: String?, status: Int32 = Self.failed) {
        self.message = message
        self.status = status
    }

    /// Makes the failure of an error; `nil` for errors that the argument parser reports itself.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as StoreError:
            self.init(message: Self.sentence(error), status: Self.status(of: error.code.name))
            self.error = error
        case PlaybackServerError.store(let error): self.init(error)
        case let error as PlaybackServerError: self.init(message: Self.sentence(error))
        case is ExitCode, is CleanExit, is ValidationError: return nil
        default: return nil
        }
    }

    /// The exit status for an error of the store, in this process or another.
    ///
    /// - Parameter code: the name of its code.
    static func status(of code: String) -> Int32 {
        switch code {
        case "no-such-asset": noSuchAsset
        case "store-in-use", "store-active": storeInUse
        case "invalid-url", "nothing-selected": usage
        default: failed
        }
    }

    private static func sentence(_ error: StoreError) -> String {
        guard case .invalidURL(let text) = error.code else { return error.message }
        let hint = AddressHint.advice(for: text) { FileManager.default.fileExists(atPath: $0) }
        return "\(error.occurrence); \(hint)"
    }

    /// The message about a port that is in use: the process that has it, and how to choose another.
    static func portInUse(_ address: ListenAddress, by holder: PortHolder?) -> String {
        let who = holder.map { "process \($0.process) (\($0.name))" } ?? "another program"
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        return
            "port \(address.port) of \(address.host) is in use by \(who); end it, or choose another port with --listen \(host):PORT, where port 0 picks a free one"
    }

    private static func sentence(_ error: PlaybackServerError) -> String {
        switch error {
        case .portInUse(let address): portInUse(address, by: PortHolder.find(address.port))
        case .addressNotAvailable:
            "\(error); choose one that `ip address` lists with --listen ADDRESS:PORT"
        case .portNotPermitted: "\(error); choose one above 1023 with --listen ADDRESS:PORT"
        case .invalidAddress: "\(error); name one with --listen ADDRESS:PORT"
        case .cannotListen, .invalidOrigin, .invalidRoute, .invalidPublicURL, .invalidProxy: error.description
        case .store(let error): sentence(error)
        }
    }
}
