import type { UserFileFormat } from './formats.ts'

/** One record of a file: a line, or several lines of a CSV file if a quoted cell contains line breaks. */
export type FileRecord = {
  text: string
  /** The cells of a CSV row. Undefined for JSON Lines, and for rows with a problem. */
  cells?: readonly string[]
  /** The number of the record's first line, counted from 1. */
  line: number
  /** The offset of the record in the file, in bytes. `next` is the offset of the next record. */
  start: number
  next: FilePosition
  problem?: RecordProblem
}

export type FilePosition = { offset: number; line: number }

/**
 * The reason why a record cannot be parsed: a misplaced quote, unclosed quotes, invalid UTF-8, or a line that is too
 * long.
 */
export type RecordProblem = 'quote' | 'open' | 'utf8' | 'long'

/**
 * The maximum size of a record in bytes: more than any user needs, but small enough to keep a few records in memory.
 */
const MAX_RECORD_BYTES = 1024 * 1024
/** The length of the excerpt by which users recognise a line that is too long. */
const EXCERPT_BYTES = 1024

const LINE_FEED = 0x0a

/** A line, including its line feed if it has one. */
type Line = { text: string; bytes: number; problem?: RecordProblem }
/** A row, possibly of several lines. */
type Row = { lines: number; cells?: readonly string[]; problem?: RecordProblem }

/**
 * Reads the records of a file, beginning at a position. The command reads a Node stream, the console a browser stream.
 * Only a few records are in memory at a time, and each contains the offset of the next one, so that reading can resume
 * there. If a row has misplaced or unclosed quotes, only its first line is rejected.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  format: UserFileFormat,
  from: FilePosition = { offset: 0, line: 1 },
): AsyncGenerator<FileRecord> {
  let lines: Line[] = []
  let { offset, line } = from

  function* completeRecords(isEnd: boolean): Generator<FileRecord> {
    let lineCount = 0
    while (lineCount < lines.length) {
      const row = format === 'csv' ? parseCsvRow(lines, lineCount, isEnd) : { lines: 1 }
      if (!row) break
      const own = lines.slice(lineCount, lineCount + row.lines)
      const record = { text: joinText(own), line, start: offset }
      lineCount += own.length
      line += own.length
      offset += own.reduce((sum, { bytes }) => sum + bytes, 0)
      const problem = row.problem ?? own.find((each) => each.problem)?.problem
      yield {
        ...record,
        next: { offset, line },
        ...(problem ? { problem } : row.cells && { cells: row.cells }),
      }
    }
    lines = lines.slice(lineCount)
  }

  for await (const read of readLines(chunks)) {
    if (offset === 0 && lines.length === 0 && read[0]) read[0].text = read[0].text.replace(/^\uFEFF/, '')
    lines = lines.concat(read)
    yield* completeRecords(false)
  }
  yield* completeRecords(true)
}

const joinText = (lines: readonly Line[]) =>
  lines
    .map(({ text }) => text)
    .join('')
    .replace(/\r?\n$/, '')

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest = new Uint8Array()
  /**
   * The number of bytes dropped from a line that is too long. Only an excerpt and the last bytes are kept in memory.
   */
  let droppedBytes = 0

  function toLine(bytes: Uint8Array): Line {
    const length = droppedBytes + bytes.length
    droppedBytes = 0
    return length > MAX_RECORD_BYTES
      ? { text: decode(bytes.subarray(0, EXCERPT_BYTES)).text, bytes: length, problem: 'long' }
      : { ...decode(bytes), bytes: length }
  }

  for await (const chunk of chunks) {
    const bytes = concatenate(rest, chunk)
    const lines: Line[] = []
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      lines.push(toLine(bytes.subarray(start, end + 1)))
      start = end + 1
    }
    rest = bytes.slice(start)
    if (rest.length > MAX_RECORD_BYTES) {
      droppedBytes += rest.length - EXCERPT_BYTES
      rest = rest.slice(0, EXCERPT_BYTES)
    }
    yield lines
  }
  if (rest.length > 0) yield [toLine(rest)]
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

function decode(bytes: Uint8Array): Pick<Line, 'text' | 'problem'> {
  try {
    return { text: strict.decode(bytes) }
  } catch {
    return { text: lenient.decode(bytes), problem: 'utf8' }
  }
}

/** Parses a CSV row. Returns null if the row may continue in lines that have not been read yet. */
function parseCsvRow(lines: readonly Line[], from: number, isEnd: boolean): Row | null {
  let text = ''
  let bytes = 0
  let isQuoted = false
  if (lines[from]?.problem === 'long') return { lines: 1 }
  for (let end = from; ; end++) {
    const line = lines[end]
    if (!line && !isEnd) return null
    bytes += line?.bytes ?? 0
    if (!line || bytes > MAX_RECORD_BYTES) break
    text += line.text
    if (line.text.split('"').length % 2 === 0) isQuoted = !isQuoted
    if (isQuoted && end > from) continue
    const cells = parseCells(text)
    if (typeof cells === 'object') return { lines: end + 1 - from, cells }
    if (cells === 'quote') return { lines: 1, problem: cells }
  }
  return { lines: 1, problem: parseCells(text) === 'quote' ? 'quote' : 'open' }
}

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*?))(,|\r?\n|$)/y
const OPEN_CELL = /^"[^"]*(?:""[^"]*)*$/

/**
 * Parses the cells of a row according to RFC 4180 §2, but also accepts line feeds without a carriage return.
 */
function parseCells(text: string): string[] | 'quote' | 'open' {
  const cells: string[] = []
  for (let at = 0; ; at = CELL.lastIndex) {
    CELL.lastIndex = at
    const match = CELL.exec(text)
    if (!match) return OPEN_CELL.test(text.slice(at)) ? 'open' : 'quote'
    const [, quoted, plain = '', separator] = match
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
    if (separator !== ',') return cells
  }
}
