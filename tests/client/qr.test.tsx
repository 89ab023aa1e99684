import { createHash } from 'node:crypto'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { QrCode } from '../../client/factors/qr.tsx'

const QUIET = 4

describe('a QR code', () => {
  // Each of these codes was verified with a scanner. Some have one block and others have several.
  it.each([
    [110, 41, '6953fcf2cca89fb5'],
    [160, 49, 'a49a5ebc29f27613'],
    [250, 57, 'ff98c6edc4b997c7'],
    [900, 101, 'd5cd5201945cd2bf'],
  ])('encodes %i characters with %i modules per side and a quiet zone', (length, size, expected) => {
    const rows = renderModules('otpauth://'.repeat(300).slice(0, length))
    expect(rows.map((row) => row.length)).toEqual(new Array(size + 2 * QUIET).fill(size + 2 * QUIET))
    const code = rows.slice(QUIET, -QUIET).map((row) => row.slice(QUIET, -QUIET))
    expect(withQuietZone(code)).toEqual(rows)
    expect(createHash('sha256').update(code.join('\n')).digest('hex').slice(0, 16)).toBe(expected)
  })

  it('has a finder pattern in three corners', () => {
    const rows = renderModules('otpauth://totp/a')
    const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']
    const corner = (top: number, left: number) =>
      rows.slice(QUIET + top, QUIET + top + 7).map((row) => row.slice(QUIET + left, QUIET + left + 7))
    const last = rows.length - 2 * QUIET - 7
    expect([corner(0, 0), corner(0, last), corner(last, 0)]).toEqual([finder, finder, finder])
    expect(corner(last, last)).not.toEqual(finder)
  })

  it('encodes text as UTF-8 bytes', () => {
    expect(renderModules('e'.repeat(17))).toHaveLength(21 + 2 * QUIET)
    expect(renderModules('é'.repeat(9))).toHaveLength(25 + 2 * QUIET)
  })

  it('is omitted if the text is too long for any size', () => {
    expect(renderToString(<QrCode text={'x'.repeat(2953)} label="A code" />)).toContain('<path')
    expect(renderToString(<QrCode text={'x'.repeat(2954)} label="A code" />)).toBe('')
  })
})

const withQuietZone = (rows: readonly string[]) => {
  const quiet = new Array(QUIET).fill('.'.repeat(rows.length + 2 * QUIET))
  const sides = '.'.repeat(QUIET)
  return [...quiet, ...rows.map((row) => sides + row + sides), ...quiet]
}

/** Returns the modules that an SVG path fills, according to the nonzero fill rule. */
function renderModules(text: string): string[] {
  const svg = renderToString(<QrCode text={text} label="A code" />)
  const [start = 0, , size = 0] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number)
  const outlines = [...(/ d="([^"]+)"/.exec(svg)?.[1] ?? '').matchAll(/M([^Z]+)Z/g)].map(([, points = '']) =>
    points.split('L').map((point) => point.split(' ').map(Number)),
  )
  const edges = outlines.flatMap((points) =>
    points.map(([x = 0, from = 0], index) => ({
      x,
      from,
      to: points[(index + 1) % points.length]?.[1] ?? 0,
    })),
  )
  const edgesAt = (y: number) =>
    edges.filter(({ from, to }) => Math.min(from, to) <= y && Math.max(from, to) > y)
  const winding = (crossed: typeof edges, x: number) =>
    crossed.filter((edge) => edge.x <= x).reduce((sum, edge) => sum + Math.sign(edge.to - edge.from), 0)
  const line = Array.from({ length: size }, (_, index) => index + start)
  return line.map((y) => {
    const crossed = edgesAt(y)
    return line.map((x) => (winding(crossed, x) === 0 ? '.' : '#')).join('')
  })
}
