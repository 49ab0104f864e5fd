import Testing

@testable import ImageCore

@Suite struct FixedLimitTests {
  @Test func valuesForPeople() {
    let rows = [
      FixedLimit(7, "a"), FixedLimit(999, "b"), FixedLimit(1000, "c"), FixedLimit(1 << 20, "d"),
      FixedLimit(bytes: 80, "e"), FixedLimit(bytes: 3 << 10, "f"), FixedLimit(bytes: 64 << 20, "g"),
      FixedLimit(bytes: 4 << 30, "h"), FixedLimit(bytes: 1025, "i"),
    ]
    #expect(
      FixedLimit.table(rows) == """
        | limit | what it bounds |
        |---|---|
        | 7 | a |
        | 999 | b |
        | 1 000 | c |
        | 1 048 576 | d |
        | 80 bytes | e |
        | 3 KiB | f |
        | 64 MiB | g |
        | 4 GiB | h |
        | 1025 bytes | i |

        """)
  }
}
