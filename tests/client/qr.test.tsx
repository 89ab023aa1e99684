import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Qr } from '../../client/factors/qr.tsx'

const QUIET = 4

/** As a scanner read it: `otpauth://totp/a`. */
const scanned = [
  '#######.##..#.#######',
  '#.....#...##..#.....#',
  '#.###.#.##.##.#.###.#',
  '#.###.#.#.###.#.###.#',
  '#.###.#.##.#..#.###.#',
  '#.....#....#..#.....#',
  '#######.#.#.#.#######',
  '............#........',
  '####..#.####.#..###.#',
  '###.#...#.##.#.#.##..',
  '.######.....#..#.##.#',
  '...###.#.#..####.##..',
  '.##.#.#..#.##....#...',
  '........####..##....#',
  '#######..###..#####..',
  '#.....#..###..#.###.#',
  '#.###.#..#.....#.#...',
  '#.###.#.##.###.###...',
  '#.###.#.##.#..##.#...',
  '#.....#.#.####..##.#.',
  '#######.##....###....',
]

describe('a QR code', () => {
  it('is the one that scanners read, in a quiet zone', () => {
    expect(drawn('otpauth://totp/a')).toEqual(framed(scanned))
  })

  it.each([
    [110, 41],
    [160, 49],
    [250, 57],
  ])('of %i characters has %i modules a side, and finders in three corners', (length, size) => {
    const rows = drawn('otpauth://'.repeat(100).slice(0, length))
    expect(rows.map((row) => row.length)).toEqual(new Array(size + 2 * QUIET).fill(size + 2 * QUIET))
    const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']
    const corner = (top: number, left: number) =>
      rows.slice(QUIET + top, QUIET + top + 7).map((row) => row.slice(QUIET + left, QUIET + left + 7))
    const last = size - 7
    expect([corner(0, 0), corner(0, last), corner(last, 0)]).toEqual([finder, finder, finder])
    expect(corner(last, last)).not.toEqual(finder)
  })

  it('is left out where no code is large enough', () => {
    expect(renderToString(<Qr text={'x'.repeat(3000)} label="A code" />)).toBe('')
  })
})

const framed = (rows: readonly string[]) => {
  const quiet = new Array(QUIET).fill('.'.repeat(rows.length + 2 * QUIET))
  const sides = '.'.repeat(QUIET)
  return [...quiet, ...rows.map((row) => sides + row + sides), ...quiet]
}

/** The modules of the view box that the path fills: a point is inside where the outlines to its left wind around it. */
function drawn(text: string): string[] {
  const svg = renderToString(<Qr text={text} label="A code" />)
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
  const winding = (x: number, y: number) =>
    edges
      .filter((edge) => edge.x <= x && Math.min(edge.from, edge.to) <= y && Math.max(edge.from, edge.to) > y)
      .reduce((sum, edge) => sum + Math.sign(edge.to - edge.from), 0)
  const line = Array.from({ length: size }, (_, index) => index + start)
  return line.map((y) => line.map((x) => (winding(x, y) === 0 ? '.' : '#')).join(''))
}
