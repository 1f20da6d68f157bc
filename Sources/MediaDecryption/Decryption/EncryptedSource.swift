/// Encrypted bytes that can be read at any position: of a stored file, or of an arriving one.
package protocol EncryptedSource: Sendable {
    /// The number of all bytes; `nil` while it is unknown.
    var count: Int? { get }
    /// At most `count` of them from `offset` on.
    func read(at offset: Int, count: Int) throws(StoreError) -> ArrivingFile.Step
    /// Calls `wake` once, when there are bytes beyond `offset` or the source has ended.
    func whenGrown(beyond offset: Int, wake: @escaping @Sendable () -> Void)
}

extension OpenedFile: EncryptedSource {
    package var count: Int? { size }

    package func read(at offset: Int, count: Int) throws(StoreError) -> ArrivingFile.Step {
        guard offset < size else { return .end }
        let bytes = try bytes(at: offset, count: count)
        // The file was truncated after it was opened.
        return bytes.isEmpty && count > 0 ? .failed : .bytes(bytes)
    }

    package func whenGrown(beyond offset: Int, wake: @escaping @Sendable () -> Void) { wake() }
}

extension ArrivingFile: EncryptedSource {
    package var count: Int? { length.map { Int(clamping: $0) } }

    package func read(at offset: Int, count: Int) throws(StoreError) -> Step {
        try read(at: UInt64(offset), count: count)
    }

    package func whenGrown(beyond offset: Int, wake: @escaping @Sendable () -> Void) {
        whenGrown(beyond: UInt64(offset), wake: wake)
    }
}

/// Bytes of a source from some place on, as many as were wanted or as there are.
package struct Gathered {
    package var bytes: [UInt8] = []
    package var state = State.enough

    /// Why there are no more.
    package enum State {
        /// The requested number of bytes.
        case enough
        /// More are to come.
        case wait
        /// The last bytes.
        case end
        /// More should be there, and will not come.
        case failed
    }
}

extension EncryptedSource {
    /// Reads until `count` bytes from `offset` on are together.
    package func gather(at offset: Int, count: Int) throws(StoreError) -> Gathered {
        var gathered = Gathered()
        while gathered.bytes.count < count {
            let (start, missing) = (offset + gathered.bytes.count, count - gathered.bytes.count)
            switch try read(at: start, count: missing) {
            case .bytes(let more) where gathered.bytes.isEmpty: gathered.bytes = more
            case .bytes(let more): gathered.bytes += more
            case .wait: gathered.state = .wait
            case .end: gathered.state = .end
            case .failed: gathered.state = .failed
            }
            guard gathered.state == .enough else { break }
        }
        return gathered
    }
}

/// The clear content at some place, as far as there is any.
package enum ClearStep {
    case bytes(ArraySlice<UInt8>)
    /// Wait until the source has a byte beyond this offset, or has ended.
    case wait(beyond: Int)
    /// The source ends here.
    case end
    /// The rest will not come.
    case failed

    /// The step after a source that has no more for now than was gathered up to `offset`.
    package init(_ state: Gathered.State, upTo offset: Int) {
        switch state {
        case .enough, .wait: self = .wait(beyond: offset)
        case .end: self = .end
        case .failed: self = .failed
        }
    }
}

/// Makes clear content of an encrypted source while it is read, for one reader.
package protocol ClearReader: Sendable {
    /// Some bytes of the clear content from `offset` on, about `count`.
    ///
    /// - Throws: `IntegrityProblem.undecryptable` when they can't be decrypted.
    mutating func read(
        at offset: Int, count: Int, from source: any EncryptedSource
    ) throws(StoreError) -> ClearStep
}
