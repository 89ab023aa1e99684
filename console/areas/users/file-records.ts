import type { UserFileFormat } from '../../../operator/users/formats.ts'

/**
 * One record of a file: a line, or in CSV several lines where a quoted cell contains line breaks. The command reads the same
 * ones (operator/users/records.ts), by streams of Node.
 */
export type FileRecord = {
  text: string
  /** Of its first line, counted from 1. */
  line: number
  /** Of CSV alone. */
  cells?: readonly string[]
  /** Why the record cannot be read. Of such a record the first line is lost, and no more. */
  problem?: 'quote' | 'open' | 'utf8'
}

/** More than any user has. Characters. */
const MAX_RECORD = 1024 * 1024
/** What a decoder puts in the place of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD'

/** `onRead` hears how many bytes were read so far. */
export async function* readRecords(
  file: Blob,
  format: UserFileFormat,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<FileRecord> {
  const take = format === 'csv' ? takeCsv : takeLine
  const decoder = new TextDecoder()
  let line = 1
  let bytes = 0
  let rest = ''

  function* cut(isEnd: boolean): Generator<FileRecord> {
    let at = 0
    while (at < rest.length) {
      const taken = take(rest, at, isEnd) ?? (rest.length - at > MAX_RECORD ? longLine(rest, at) : null)
      if (!taken) break
      const { length, ...read } = taken
      const text = rest.slice(at, at + length)
      at += length
      yield recordOf(text, line, read)
      line += Math.max(1, text.split('\n').length - 1)
    }
    rest = rest.slice(at)
  }

  for await (const chunk of file.stream()) {
    rest += decoder.decode(chunk, { stream: true })
    bytes += chunk.length
    onRead(bytes)
    yield* cut(false)
  }
  rest += decoder.decode()
  yield* cut(true)
}

type Taken = { length: number; cells?: readonly string[]; problem?: FileRecord['problem'] }

function recordOf(whole: string, line: number, { cells, problem }: Omit<Taken, 'length'>): FileRecord {
  const text = whole.replace(/\r?\n$/, '')
  const wrong = problem ?? (text.includes(REPLACEMENT) ? 'utf8' : undefined)
  return wrong ? { text, line, problem: wrong } : { text, line, ...(cells && { cells }) }
}

/** Null when the record may go on in what is not read yet. */
function takeLine(text: string, from: number, isEnd: boolean): Taken | null {
  const end = text.indexOf('\n', from)
  if (end === -1) return isEnd ? { length: text.length - from } : null
  return { length: end + 1 - from }
}

function firstLine(text: string, from: number, isEnd: boolean, problem: FileRecord['problem']): Taken | null {
  const line = takeLine(text, from, isEnd)
  return line && { ...line, problem }
}

/** A record without an end: its first line, if that one is there. */
const longLine = (text: string, from: number): Taken | null => firstLine(text, from, false, 'open')

/** RFC 4180 §2, with line feeds alone as well. */
function takeCsv(text: string, from: number, isEnd: boolean): Taken | null {
  const cells: string[] = []
  for (let at = from; ; ) {
    const cell = text[at] === '"' ? quotedCell(text, at, isEnd) : plainCell(text, at, isEnd)
    if (cell === null) return null
    if (typeof cell === 'string') return firstLine(text, from, isEnd, cell)
    cells.push(cell.value)
    at = cell.end
    if (text[at] === ',') at += 1
    else if (at === text.length) return isEnd ? { length: at - from, cells } : null
    else if (text[at] === '\n') return { length: at + 1 - from, cells }
    else if (text.startsWith('\r\n', at)) return { length: at + 2 - from, cells }
    else if (text[at] === '\r' && at + 1 === text.length && !isEnd) return null
    else return firstLine(text, from, isEnd, 'quote')
  }
}

type Cell = { value: string; end: number } | 'quote' | 'open' | null

function plainCell(text: string, from: number, isEnd: boolean): Cell {
  const special = /[",\n]/g
  special.lastIndex = from
  const match = special.exec(text)
  if (!match) return isEnd ? { value: text.slice(from), end: text.length } : null
  if (match[0] === '"') return 'quote'
  const end =
    match[0] === '\n' && text[match.index - 1] === '\r' ? Math.max(from, match.index - 1) : match.index
  return { value: text.slice(from, end), end }
}

function quotedCell(text: string, from: number, isEnd: boolean): Cell {
  let value = ''
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return isEnd ? 'open' : null
    if (quote + 1 === text.length && !isEnd) return null
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    at = quote + 2
  }
}
