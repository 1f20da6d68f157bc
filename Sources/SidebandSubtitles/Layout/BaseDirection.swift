/// The base direction of a paragraph: that of its first letter (Unicode Standard Annex 9, P2 and P3).
enum BaseDirection {
    static func isRightToLeft(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        var isolates = 0
        for scalar in text {
            switch scalar.value {
            case 0x200E, 0x202A, 0x202D: if isolates == 0 { return false }
            case 0x200F, 0x061C, 0x202B, 0x202E: if isolates == 0 { return true }
            case 0x2066...0x2068: isolates += 1
            case 0x2069: isolates = max(0, isolates - 1)
            default:
                if isolates == 0, isStrong(scalar) { return isRightToLeftScript(scalar.value) }
            }
        }
        return false
    }

    private static func isStrong(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark, .letterNumber:
            true
        default: false
        }
    }

    private static func isRightToLeftScript(_ value: UInt32) -> Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
