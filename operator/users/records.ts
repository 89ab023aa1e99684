import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { CsvError, type InfoRecord, parse } from 'csv-parse/sync'
import type { UserFileFormat } from './formats.ts'

/** One record of a file: a line, or in CSV several lines where a quoted cell contains line breaks. */
export type FileRecord = {
  text: string
  /** Of CSV alone, and absent where there is a problem. */
  cells?: readonly string[]
  /** Of its first line, counted from 1. */
  line: number
  /** In bytes of the file; `next` is where the next record begins. */
  start: number
  next: FilePosition
  /** Why the record cannot be read. */
  problem?: string
}

export type FilePosition = { offset: number; line: number }

/** More than any user has, and little enough to be held in memory a few times. */
const RECORD_MAX_BYTES = 1024 * 1024
/** So much of a longer line is kept, to recognise it by. */
const KEPT_BYTES = 1024

const LINE_FEED = 0x0a
const BOM = Buffer.from('\uFEFF')

/** The beginning of a buffer that is one record. */
type Row = { length: number; cells?: readonly string[] }
/** The records of which a buffer contains all, and what is wrong with the one after them. */
type Rows = { rows: readonly Row[]; problem?: string | undefined }

/**
 * The records of a file from a position on. It never holds more than a few of them, and each knows the byte at which the
 * next one begins, so that reading can start there again. Of a record that cannot be read, only its first line is lost.
 */
export async function* readRecords(
  file: string,
  { format, from = { offset: 0, line: 1 } }: { format: UserFileFormat; from?: FilePosition },
): AsyncGenerator<FileRecord> {
  const rowsIn = format === 'csv' ? rowsOfCsv : rowsOfLines
  let at = from
  let buffer: Buffer = Buffer.alloc(0)
  /** What was read and dropped of a line that is too long. */
  let dropped: { head: Buffer; bytes: number } | null = null

  /** Of a record without an end in sight as many bytes again are read before it is parsed anew. */
  let enoughBytes = 0

  function cut({ length, cells }: Row, problem?: string): FileRecord {
    const bytes = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    const next = {
      offset: at.offset + (dropped?.bytes ?? 0) + length,
      line: at.line + Math.max(1, countLineFeeds(bytes)),
    }
    const wrong = dropped
      ? 'is longer than a megabyte'
      : (problem ?? (isUtf8(bytes) ? undefined : 'is not UTF-8'))
    const record = {
      text: (dropped?.head ?? bytes).toString('utf8').replace(/\r?\n$/, ''),
      ...(wrong === undefined ? cells && { cells } : { problem: wrong }),
      line: at.line,
      start: at.offset,
      next,
    }
    dropped = null
    at = next
    return record
  }

  function drop(): void {
    dropped ??= { head: buffer.subarray(0, KEPT_BYTES), bytes: 0 }
    dropped.bytes += buffer.length
    buffer = Buffer.alloc(0)
  }

  const hasLine = () => buffer.includes(LINE_FEED)
  const firstLine = (): Row => ({ length: buffer.indexOf(LINE_FEED) + 1 || buffer.length })

  function* cutRecords(isEnd: boolean): Generator<FileRecord> {
    for (;;) {
      if (dropped) {
        if (!isEnd && !hasLine()) return drop()
        yield cut(firstLine())
      }
      const { rows, problem } = rowsIn(buffer, isEnd)
      for (const row of rows) yield cut(row)
      enoughBytes = rows.length === 0 ? buffer.length * 2 : 0
      if (problem === undefined && buffer.length <= RECORD_MAX_BYTES) return
      if (problem === undefined && !hasLine()) return drop()
      yield cut(firstLine(), problem ?? QUOTES_NOT_CLOSED)
    }
  }

  for await (const chunk of createReadStream(file, { start: at.offset })) {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    if (at.offset === 0 && buffer.subarray(0, BOM.length).equals(BOM)) {
      buffer = buffer.subarray(BOM.length)
      at = { ...at, offset: BOM.length }
    }
    if (buffer.length >= Math.min(enoughBytes, RECORD_MAX_BYTES)) yield* cutRecords(false)
  }
  yield* cutRecords(true)
}

const QUOTES_NOT_CLOSED = 'its quotes are not closed'

/** What is behind the last line feed may go on in bytes that are not read yet. */
function rowsOfCsv(buffer: Buffer, isEnd: boolean): Rows {
  const rows: Row[] = []
  let end = 0
  const addRow = (cells: string[], { bytes }: Pick<InfoRecord, 'bytes'>) => {
    rows.push({ length: bytes - end, cells })
    end = bytes
    return null
  }
  try {
    parse(isEnd ? buffer : buffer.subarray(0, buffer.lastIndexOf(LINE_FEED) + 1), {
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      on_record: addRow,
    })
    return { rows }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED') return { rows, problem: 'has a quote where none may be' }
    return { rows, problem: isEnd ? QUOTES_NOT_CLOSED : undefined }
  }
}

function rowsOfLines(buffer: Buffer, isEnd: boolean): Rows {
  const rows: Row[] = []
  let start = 0
  for (let end = buffer.indexOf(LINE_FEED); end !== -1; end = buffer.indexOf(LINE_FEED, start)) {
    rows.push({ length: end + 1 - start })
    start = end + 1
  }
  if (isEnd && start < buffer.length) rows.push({ length: buffer.length - start })
  return { rows }
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
