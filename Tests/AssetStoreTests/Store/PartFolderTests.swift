import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("A folder that is filled beside its place")
struct PartFolderTests {
    private let folder: TemporaryDirectory
    private let place: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        place = FilePath(folder.file("film"))
    }

    @Test("has its name when it is finished, and is gone when it is given up")
    func ends() throws {
        let part = try PartFolder(for: place)
        #expect(FileSystem.names(in: FilePath(folder.path)) == [".film.part"])
        part.discard()
        #expect(FileSystem.names(in: FilePath(folder.path)).isEmpty)
        let other = try PartFolder(for: place)
        try FileSystem.makeFile(other.path.appending("1.ts"))
        try other.finish()
        #expect(FileSystem.names(in: FilePath(folder.path)) == ["film"])
        #expect(FileSystem.names(in: place) == ["1.ts"])
    }

    @Test("is empty, whatever a killed process has left in it")
    func leftover() throws {
        try FileSystem.makeDirectory(FilePath(folder.file(".film.part")))
        try FileSystem.makeFile(FilePath(folder.file(".film.part/old.ts")))
        let part = try PartFolder(for: place)
        #expect(FileSystem.names(in: part.path).isEmpty)
        part.discard()
    }

    @Test("is taken over from a killed process, whatever error an earlier call has left")
    func formerError() throws {
        try FileSystem.makeDirectory(FilePath(folder.file(".film.part")))
        errno = EWOULDBLOCK
        let part = try PartFolder(for: place)
        #expect(FileSystem.isDirectory(part.path))
        part.discard()
    }

    @Test("is not touched while another process fills it")
    func locked() throws {
        try FileSystem.makeDirectory(FilePath(folder.file(".film.part")))
        try FileSystem.makeFile(FilePath(folder.file(".film.part/other.ts")))
        let descriptor = unsafe open(folder.file(".film.part"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: StoreError.self) { _ = try PartFolder(for: place) }
        #expect(FileSystem.names(in: FilePath(folder.file(".film.part"))) == ["other.ts"])
    }
}
