internal import Locking

/// A part of an asset in the clear, decrypted while it is read; for one reader. Plain text is kept nowhere.
package final class ClearMedia: Sendable {
    private struct State {
        var reader: any ClearReader
        /// The end of the encrypted bytes that it has waited for.
        var awaited = 0
    }

    private let source: any EncryptedSource
    private let state: Lock<State>
    private let onFailure: @Sendable (StoreError) -> Void
    /// Its length in bytes; `nil` if only its end shows the length, since padding is encrypted, too.
    package let length: UInt64?

    package init(
        _ reader: any ClearReader, of source: any EncryptedSource, length: Int?,
        onFailure: @escaping @Sendable (StoreError) -> Void
    ) {
        (self.source, self.onFailure) = (source, onFailure)
        self.length = length.map { UInt64($0) }
        state = Lock(State(reader: reader))
    }

    /// The next step of a reader at some offset.
    package enum Step: Sendable {
        /// These bytes.
        case bytes(ArraySlice<UInt8>)
        /// No bytes yet.
        case wait
        /// The end: all bytes were read.
        case end
        /// No bytes: the rest can't be read.
        case failed
    }

    /// About `count` bytes from `offset` on.
    package func read(at offset: UInt64, count: Int) -> Step {
        do throws(StoreError) {
            let step = try state.withLock { state throws(StoreError) in
                let step = try state.reader.read(at: Int(clamping: offset), count: count, from: source)
                if case .wait(let place) = step { state.awaited = place }
                return step
            }
            switch step {
            case .bytes(let bytes): return .bytes(bytes.prefix(count))
            case .wait: return .wait
            case .end: return .end
            case .failed: return .failed
            }
        } catch {
            onFailure(error)
            return .failed
        }
    }

    /// Calls `wake` once, when the bytes for which the last `read` waited may be there.
    package func whenGrown(wake: @escaping @Sendable () -> Void) {
        source.whenGrown(beyond: state.withLock { $0.awaited }, wake: wake)
    }
}
