internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import SystemPackage

/// A file that a command reads whole.
enum InputFile {
    /// The file's bytes; `-` is standard input.
    ///
    /// - Parameter limit: the largest number of bytes. A larger file is an error before it fills the memory.
    static func bytes(_ file: String, limit: Int = .max) throws -> [UInt8] {
        do {
            guard file != "-" else { return try read(.standardInput, file, limit: limit) }
            let opened = try FileDescriptor.open(FilePath(file), .readOnly)
            return try read(
                FileHandle(fileDescriptor: opened.rawValue, closeOnDealloc: true), file, limit: limit)
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as Errno {
            throw StoreError(.file(.read, file, errno: error.rawValue))
        } catch {
            throw CommandFailure(
                message: "could not read \(file): it is not a readable file; name another one")
        }
    }

    private static func read(_ handle: FileHandle, _ file: String, limit: Int) throws -> [UInt8] {
        guard limit < .max else { return [UInt8](try handle.readToEnd() ?? Data()) }
        let data = try handle.read(upToCount: limit + 1) ?? Data()
        guard data.count <= limit else {
            throw CommandFailure(message: "\(file) is too large: more than \(HumanUnits.bytes(Int64(limit)))")
        }
        return [UInt8](data)
    }
}
