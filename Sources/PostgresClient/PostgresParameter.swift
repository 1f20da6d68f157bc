/// A parameter of a statement. The server converts text to the type that the statement needs.
package enum PostgresParameter: Sendable {
    case null
    /// A text without NUL, which PostgreSQL can't store.
    case text(String)
    case bytes([UInt8])
}

extension [PostgresParameter] {
    /// Calls `body` with the arrays for libpq: values that end with NUL, their lengths, and 1 for each that is bytes.
    func withPointers<R>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> R
    ) -> R {
        var (memory, starts) = ([UInt8](), [Int?]())
        var (lengths, formats) = ([Int32](), [Int32]())
        for parameter in self {
            switch parameter {
            case .null:
                starts.append(nil)
                lengths.append(0)
                formats.append(0)
                continue
            case .text(let text):
                starts.append(memory.count)
                memory += text.utf8
                formats.append(0)
            case .bytes(let bytes):
                starts.append(memory.count)
                memory += bytes
                formats.append(1)
            }
            lengths.append(Int32(clamping: memory.count - (starts.last.flatMap(\.self) ?? 0)))
            memory.append(0)
        }
        return unsafe memory.withUnsafeBytes { buffer in
            let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = unsafe starts.map { start in unsafe start.flatMap { unsafe base?.advanced(by: $0) } }
            return unsafe body(values, lengths, formats)
        }
    }
}
