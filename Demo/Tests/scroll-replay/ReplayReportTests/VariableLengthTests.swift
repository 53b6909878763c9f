import Testing

@testable import ReplayReport

struct VariableLengthTests {
    @Test func `numbers come back as they were, whatever their size and sign`() {
        let values = [
            0, 1, -1, 15, -15, 16, -16, 511, 512, 1 << 20, -(1 << 31), 1 << 40, Int.max >> 1,
        ]
        #expect(PageReader.numbers(VariableLength.text(of: values)) == values)
    }

    @Test func `small numbers take a character, as in source maps`() {
        #expect(VariableLength.text(of: [0, 1, -1, 15, 16]) == "ACDegB")
        #expect(VariableLength.text(ofSteps: [5, 6, 7]) == "KCC")
    }
}
