import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine, unescapeCell } from '../../src/domain/csv.ts'

describe('a CSV line', () => {
  it.each<[cells: string[], line: string]>([
    [['a', 'b c', ''], 'a,b c,'],
    [['a,b', 'say "hi"', 'two\nlines', 'x\ry'], '"a,b","say ""hi""","two\nlines","x\ry"'],
    [['=1+1', '+49', '-1', '@x'], "'=1+1,'+49,'-1,'@x"],
    [["'=1"], "''=1"],
    [['\'"=1'], '"\'\'""=1"'],
    [['1=1', 'a-b', 'ann@example.com'], '1=1,a-b,ann@example.com'],
    // With a decimal comma, a semicolon starts a new cell.
    [['a;=1', 'a;b'], "a;'=1,a;b"],
    [['a\n=1', 'a\r@b', 'a\t-1'], '"a\n\'=1","a\r\'@b",a\t\'-1'],
    [['\tx'], "'\tx"],
  ])('encodes the cells %j as %j', (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`)
  })

  it('contains every cell in a form from which it can be restored', () => {
    const text = fc.string({ unit: fc.constantFrom(...'\'"=+-@;,\t\r\n a') })
    fc.assert(
      fc.property(text, (cell) => {
        const line = csvLine([cell]).slice(0, -2)
        const quoted = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line
        expect(unescapeCell(quoted)).toBe(cell)
        expect(quoted).not.toMatch(/(?:^|[;\t\r\n])[=+\-@\t\r]/)
      }),
    )
  })
})
