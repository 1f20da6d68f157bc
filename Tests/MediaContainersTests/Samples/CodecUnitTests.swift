import Testing

@testable import MediaContainers

@Suite("Units of H.264") struct CodecAVCUnitTests {
    @Test("mark a recovery point with its message, and with no other unit or message")
    func recoveryPoint() {
        func isRecoveryPoint(_ unit: [UInt8]) -> Bool {
            let data = [6, 6] + unit + [6, 1, 0x80]
            return AVCCodec().isRecoveryPoint(2..<2 + unit.count, in: data)
        }
        #expect(isRecoveryPoint(HandmadePictures.recoveryPoint))
        #expect(isRecoveryPoint([6, 5, 1, 9, 6, 1, 0x84, 0x80]), "behind another message")
        // The header has the same number as the message.
        #expect(!isRecoveryPoint([6, 5, 1, 9, 0x80]) && !isRecoveryPoint([6]))
        #expect(!isRecoveryPoint([0x65, 6, 1, 0x84, 0x80]) && !isRecoveryPoint([0x27, 6, 1, 0x84, 0x80]))
    }

    @Test("tell light levels in supplemental units, and not by their header alone")
    func light() {
        func level(_ unit: [UInt8]) -> [UInt8]? {
            var light = LightFacts()
            AVCCodec().read(0..<unit.count, in: unit, into: &light)
            return light.level
        }
        #expect(level([6, 144, 4, 3, 0xE8, 1, 0x90, 0x80]) == [3, 0xE8, 1, 0x90])
        #expect(level([6]) == nil && level([5, 144, 4, 3, 0xE8, 1, 0x90, 0x80]) == nil)
        #expect(level([6, 144, 3, 3, 0xE8, 1, 0x80]) == nil)
    }

    @Test("lead where they stand before a picture, and trail where they stand behind one")
    func roles() {
        func role(_ unit: [UInt8]) -> String {
            var codec = AVCCodec()
            return codec.role(of: 1..<1 + unit.count, in: [0] + unit).name
        }
        func roles(_ types: ClosedRange<UInt8>) -> [String] { types.map { role([$0, 0x88, 0x80]) } }
        let trails = "trailing"
        #expect(roles(0...6) == [trails, "slice", "slice", trails, trails, "slice", "leading"])
        #expect(roles(9...12) == ["delimiter", trails, trails, "filler"])
        #expect(Set(roles(13...18)) == ["leading"] && Set(roles(19...31)) == [trails])
        #expect(role([0x65]) == trails, "a slice without a header")
        #expect(role([0x67, 66, 0, 30, 0x80]) == "parameters" && role([0x67, 66, 0, 30]) == "filler")
        let longest = [0x68, 0x80] + [UInt8](repeating: 1, count: 0xFFFF - 2)
        #expect(role(longest) == "parameters" && role(longest + [1]) == "filler")
    }

    @Test("that are picture parameter sets depend on the sequence that they name")
    func dependent() {
        func isDependent(_ type: UInt8, on sequence: Int) -> Bool {
            // The set has the number 0, its sequence the number 1.
            AVCCodec().isDependent(.init(type: type, id: 0), [0x68, 0b1010_0000], on: sequence)
        }
        #expect(isDependent(8, on: 1) && !isDependent(8, on: 0) && !isDependent(7, on: 1))
    }

    @Test("have messages whose types and lengths may go on, but not beyond the unit")
    func messages() {
        for (payload, types) in [
            ([255, 255, 255], []), ([6, 255, 255], []), ([255, 255, 255, 255], []),
            ([5, 0, 255, 255, 255], [5]), ([255, 255, 3, 0, 0x80], [513]),
        ] as [([UInt8], [Int])] {
            #expect(SupplementalMessages.types(payload, payload.indices) == types, "\(payload)")
        }
    }
}

@Suite("Many units of a byte stream") struct CodecByteStreamTests {
    /// Start codes, each directly behind the one before.
    private func codes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 3 * count)
        for place in stride(from: 2, to: bytes.count, by: 3) { bytes[place] = 1 }
        return bytes
    }

    @Test("are read up to 2^20 start codes, and refused beyond")
    func most() throws {
        let most = codes(1 << 20)
        #expect(try ByteStream.units(in: most).isEmpty)
        let units = try ByteStream.units(in: most + [9])
        #expect(units.count == 1 && units.first?.start == most.count)
        #expect(throws: SampleError.tooLarge) { try ByteStream.units(in: most + [0, 0, 1]) }
    }
}

@Suite("Units of H.265") struct CodecHEVCUnitTests {
    /// A content that is whole for units of all types: as a parameter set it has a number.
    private static let content: [UInt8] = [0x80] + [UInt8](repeating: 1, count: 12) + [0x80]

    private func role(_ type: UInt8, layer: UInt8 = 0, _ content: [UInt8] = Self.content) -> UnitRole {
        let unit = [type << 1 | layer >> 5, (layer & 31) << 3 | 1] + content
        return HEVCCodec().role(of: 1..<1 + unit.count, in: [0] + unit)
    }

    @Test("lead where they stand before a picture, and trail where they stand behind one")
    func roles() {
        func names(_ types: ClosedRange<UInt8>) -> Set<String> { Set(types.map { role($0).name }) }
        #expect(names(0...31) == ["slice"] && names(32...34) == ["parameters"])
        #expect(names(35...35) == ["delimiter"] && names(38...38) == ["filler"])
        #expect(names(39...39) == ["leading"] && names(41...44) == ["leading"])
        #expect(names(48...55) == ["leading"])
        #expect(names(36...37) == ["trailing"] && names(40...40) == ["trailing"])
        #expect(names(45...47) == ["trailing"] && names(56...63) == ["trailing"])
    }

    @Test(
        "of other layers are no pictures and no parameter sets", arguments: [1, 2, 31, 32, 33, 63] as [UInt8])
    func layers(layer: UInt8) {
        #expect(role(1, layer: layer).name == "trailing" && role(19, layer: layer).name == "trailing")
        for type: UInt8 in 32...34 { #expect(role(type, layer: layer).name == "leading") }
    }

    @Test("begin pictures by their first bit, and can be decoded alone from type 16 to 21")
    func slices() throws {
        for type: UInt8 in 0..<32 {
            for (first, isFirst) in [(0x80, true), (0x7F, false)] as [(UInt8, Bool)] {
                guard case .slice(let slice) = role(type, [first]) else {
                    Issue.record("type \(type) is a slice")
                    continue
                }
                #expect(slice.isFirst == isFirst)
                #expect(slice.isRandomAccess == (16...21).contains(type))
                #expect(slice.isIntra == slice.isRandomAccess)
            }
        }
        #expect(role(1, []).name == "trailing", "a slice without a header")
        #expect(HEVCCodec().role(of: 0..<1, in: [2]).name == "filler")
    }

    @Test("that are parameter sets have 65,535 bytes at most, and a number")
    func longest() {
        let content = [0x80] + [UInt8](repeating: 1, count: 0xFFFF - 3)
        #expect(role(34, content).name == "parameters" && role(34, content + [1]).name == "filler")
        #expect(role(34, []).name == "filler" && role(34, [0]).name == "filler")
    }
}

extension UnitRole {
    fileprivate var name: String {
        switch self {
        case .slice: "slice"
        case .parameters: "parameters"
        case .leading: "leading"
        case .delimiter: "delimiter"
        case .filler: "filler"
        case .trailing: "trailing"
        }
    }
}
