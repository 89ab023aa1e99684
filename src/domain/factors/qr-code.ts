/** QR codes (ISO/IEC 18004) of texts in UTF-8, for screens: error correction of the lowest level, which a screen needs. */

/** Dark modules are true. A row after the other, without the quiet zone. */
export type QrCode = readonly (readonly boolean[])[]

/** Level L, by version. */
const CORRECTION_BYTES = [
  ...[7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28],
  ...[28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
]
const BLOCKS = [
  ...[1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8],
  ...[8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25],
]
const VERSIONS = BLOCKS.length
const LEVEL_L = 0b01

/** Null for a text that is longer than any QR code. */
export function qrCode(text: string): QrCode | null {
  const data = new TextEncoder().encode(text)
  const version = versionFor(data.length)
  if (version === null) return null
  const blank = functionPatterns(version)
  placeCodewords(blank, withCorrection(codewordsOf(data, version), version))
  const masked = masks.map((mask, number) => withMask(blank, mask, number))
  return masked.reduce((best, next) => (penaltyOf(next) < penaltyOf(best) ? next : best))
}

// --- Codewords --------------------------------------------------------------------------------------------

const isLong = (version: number) => version > 9

function versionFor(length: number): number | null {
  for (let version = 1; version <= VERSIONS; version++) {
    // Four bits say that bytes follow, eight or sixteen how many.
    if (length + (isLong(version) ? 3 : 2) <= dataBytes(version)) return version
  }
  return null
}

const dataBytes = (version: number) =>
  allBytes(version) - (CORRECTION_BYTES[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0)

/** Of the modules that no pattern needs. */
function allBytes(version: number): number {
  const alignments = alignmentPositions(version).length
  const ofAlignments = alignments === 0 ? 0 : (25 * alignments - 10) * alignments - 55
  const ofVersion = version < 7 ? 0 : 36
  return Math.floor(((16 * version + 128) * version + 64 - ofAlignments - ofVersion) / 8)
}

function codewordsOf(data: Uint8Array, version: number): number[] {
  const bits = [
    ...bitsOf(0b0100, 4),
    ...bitsOf(data.length, isLong(version) ? 16 : 8),
    ...Array.from(data).flatMap((byte) => bitsOf(byte, 8)),
  ]
  const room = dataBytes(version) * 8
  bits.push(...bitsOf(0, Math.min(4, room - bits.length)))
  bits.push(...bitsOf(0, -bits.length & 7))
  const bytes = Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  )
  for (let pad = 0xec; bytes.length < room / 8; pad ^= 0xec ^ 0x11) bytes.push(pad)
  return bytes
}

/** The most significant first. */
const bitsOf = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => (value >>> (count - 1 - index)) & 1)

/** The blocks with their correction, one byte of each in turn. */
function withCorrection(data: readonly number[], version: number): number[] {
  const count = BLOCKS[version - 1] ?? 1
  const correction = CORRECTION_BYTES[version - 1] ?? 0
  const short = Math.floor(data.length / count)
  const firstLong = count - (data.length % count)
  const divisor = generator(correction)
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * short + Math.max(0, index - firstLong)
    const block = data.slice(start, start + short + (index < firstLong ? 0 : 1))
    return { block, correction: remainder(block, divisor) }
  })
  const columns = (rows: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, column) => rows.flatMap((row) => row[column] ?? [])).flat()
  return [
    ...columns(
      blocks.map(({ block }) => block),
      short + 1,
    ),
    ...columns(
      blocks.map((each) => each.correction),
      correction,
    ),
  ]
}

/** In the field of 256 elements with the polynomial 0x11d. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((other >>> bit) & 1) * one
  }
  return product
}

/** The coefficients of (x - 1)(x - 2)(x - 4)… without the first, which is one. */
function generator(degree: number): number[] {
  let result: number[] = Array.from({ length: degree }, (_, index) => (index === degree - 1 ? 1 : 0))
  for (let count = 0, root = 1; count < degree; count++, root = times(root, 2)) {
    const factor = root
    result = result.map((value, index) => times(value, factor) ^ (result[index + 1] ?? 0))
  }
  return result
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  let result = divisor.map(() => 0)
  for (const byte of data) {
    const factor = byte ^ (result[0] ?? 0)
    result = divisor.map((value, index) => (result[index + 1] ?? 0) ^ times(value, factor))
  }
  return result
}

// --- Modules ----------------------------------------------------------------------------------------------

/** `isFixed`: part of a pattern, which carries no data and is not masked. */
type Canvas = { size: number; isDark: boolean[][]; isFixed: boolean[][] }

const sizeOf = (version: number) => version * 4 + 17

function alignmentPositions(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = sizeOf(version) - 7
  return Array.from({ length: count }, (_, index) => (index === 0 ? 6 : last - (count - 1 - index) * step))
}

function functionPatterns(version: number): Canvas {
  const size = sizeOf(version)
  const square = () => Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const canvas: Canvas = { size, isDark: square(), isFixed: square() }
  for (let index = 0; index < size; index++) {
    fix(canvas, 6, index, index % 2 === 0)
    fix(canvas, index, 6, index % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawRings(canvas, row, column, { radius: 4, isLight: (distance) => distance === 2 || distance === 4 })
  const positions = alignmentPositions(version)
  const last = positions.length - 1
  for (const [i, row] of positions.entries())
    for (const [j, column] of positions.entries()) {
      const isAtFinder = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0)
      if (!isAtFinder) drawRings(canvas, row, column, { radius: 2, isLight: (distance) => distance === 1 })
    }
  drawFormat(canvas, 0)
  if (version >= 7) drawVersion(canvas, version)
  return canvas
}

function fix({ size, isDark, isFixed }: Canvas, row: number, column: number, dark: boolean): void {
  const [darkRow, fixedRow] = [isDark[row], isFixed[row]]
  if (!darkRow || !fixedRow || column < 0 || column >= size) return
  darkRow[column] = dark
  fixedRow[column] = true
}

function drawRings(
  canvas: Canvas,
  row: number,
  column: number,
  { radius, isLight }: { radius: number; isLight: (distance: number) => boolean },
): void {
  for (let down = -radius; down <= radius; down++)
    for (let right = -radius; right <= radius; right++) {
      const distance = Math.max(Math.abs(down), Math.abs(right))
      fix(canvas, row + down, column + right, !isLight(distance))
    }
}

/** A number with the remainder of its division behind it (ISO/IEC 18004 annexes C and D). */
function withRemainder(value: number, divisor: number, degree: number): number {
  let rest = value
  for (let index = 0; index < degree; index++) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * divisor)
  return (value << degree) | rest
}

function drawFormat(canvas: Canvas, mask: number): void {
  const bits = withRemainder((LEVEL_L << 3) | mask, 0x537, 10) ^ 0x5412
  const { size } = canvas
  for (let index = 0; index < 15; index++) {
    const dark = ((bits >>> index) & 1) === 1
    // Beside the first finder, around the timing pattern.
    if (index < 8) fix(canvas, index < 6 ? index : index + 1, 8, dark)
    else fix(canvas, 8, index === 8 ? 7 : 14 - index, dark)
    // Once more beside the two others.
    if (index < 8) fix(canvas, 8, size - 1 - index, dark)
    else fix(canvas, size - 15 + index, 8, dark)
  }
  fix(canvas, size - 8, 8, true)
}

function drawVersion(canvas: Canvas, version: number): void {
  const bits = withRemainder(version, 0x1f25, 12)
  for (let index = 0; index < 18; index++) {
    const dark = ((bits >>> index) & 1) === 1
    const [far, near] = [canvas.size - 11 + (index % 3), Math.floor(index / 3)]
    fix(canvas, near, far, dark)
    fix(canvas, far, near, dark)
  }
}

/** Upwards and downwards in pairs of columns, from the right; the column of the timing pattern is passed over. */
function placeCodewords({ size, isDark, isFixed }: Canvas, codewords: readonly number[]): void {
  let bit = 0
  for (let right = size - 1; right >= 1; right -= right === 8 ? 3 : 2) {
    const isUpward = ((right + (right < 6 ? 2 : 1)) & 2) === 0
    for (let step = 0; step < size; step++) {
      const row = isUpward ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        const darkRow = isDark[row]
        if (!darkRow || isFixed[row]?.[column]) continue
        darkRow[column] = (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1
        bit++
      }
    }
  }
}

type Mask = (row: number, column: number) => boolean

const masks: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

function withMask({ size, isDark, isFixed }: Canvas, mask: Mask, number: number): boolean[][] {
  const masked = isDark.map((modules, row) =>
    modules.map((dark, column) => (isFixed[row]?.[column] ? dark : dark !== mask(row, column))),
  )
  drawFormat({ size, isDark: masked, isFixed: isFixed.map((row) => [...row]) }, number)
  return masked
}

/** How hard a scanner finds it (ISO/IEC 18004 §7.8.3): runs, squares, what looks like a finder, and one colour too often. */
function penaltyOf(modules: QrCode): number {
  const size = modules.length
  const turned = modules.map((_, column) => modules.map((row) => row[column] === true))
  const lines = [...modules, ...turned].map((line) => line.map(Number).join(''))
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).map((run) => run.length - 2)
  const finders = lines.map((line) => line.match(/(?=10111010000|00001011101)/g)?.length ?? 0)
  let squares = 0
  for (let row = 1; row < size; row++)
    for (let column = 1; column < size; column++) {
      const corner = modules[row]?.[column]
      const others = [modules[row - 1]?.[column], modules[row]?.[column - 1], modules[row - 1]?.[column - 1]]
      if (others.every((other) => other === corner)) squares++
    }
  const dark = modules.flat().filter(Boolean).length / (size * size)
  return sum(runs) + sum(finders) * 40 + squares * 3 + Math.floor(Math.abs(dark - 0.5) * 20) * 10
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
