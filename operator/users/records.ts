import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'

/** One record of a file: a line, or in CSV several of them where a quoted cell holds line breaks. */
export type FileRecord = {
  text: string
  /** Of its first line, counted from 1. */
  line: number
  /** Bytes of the file; `next` is where the next record begins. */
  start: number
  next: Position
  /** Why its text is not to be read any further. */
  problem?: string
}

export type Position = { offset: number; line: number }

/** Longer than any user, and short enough to be held in memory a few times. Ours. */
const MOST_BYTES = 1024 * 1024
/** Of a line that is longer, so much is kept to recognise it by. */
const KEPT_BYTES = 1024

const LINE_FEED = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const BOM = Buffer.from('\uFEFF')

/**
 * The records of a file from a position on, without ever holding more than a few of them. Where a record ends is found
 * in its bytes, so that its end can be remembered and the file be opened there again.
 */
export async function* readRecords(
  file: string,
  { quotes, from = { offset: 0, line: 1 } }: { quotes: boolean; from?: Position },
): AsyncGenerator<FileRecord> {
  let at = from
  let buffer: Buffer = Buffer.alloc(0)
  /** What was let go of a line that does not end. */
  let long: { head: Buffer; bytes: number } | null = null

  function cut(length: number, problem?: string): FileRecord {
    const bytes = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    const head = long ? long.head : bytes
    const next = {
      offset: at.offset + (long?.bytes ?? 0) + length,
      line: at.line + Math.max(1, count(bytes)),
    }
    const wrong = long
      ? 'is longer than a megabyte'
      : (problem ?? (isUtf8(bytes) ? undefined : 'is not UTF-8'))
    const record = {
      text: head.toString('utf8').replace(/\r?\n$/, ''),
      line: at.line,
      start: at.offset,
      next,
      ...(wrong && { problem: wrong }),
    }
    long = null
    at = next
    return record
  }

  /** The next record, if all of it is there. */
  function next(isEnd: boolean): FileRecord | null {
    if (buffer.length === 0 && !(isEnd && long)) return null
    const lineEnd = buffer.indexOf(LINE_FEED) + 1
    if (long) return lineEnd > 0 || isEnd ? cut(lineEnd || buffer.length) : letGo()
    const { end, isOpen } = scan(buffer, quotes)
    if (end > 0) return cut(end)
    if (isOpen && (isEnd || buffer.length > MOST_BYTES))
      return cut(lineEnd || buffer.length, 'its quotes are not closed')
    if (isEnd) return cut(buffer.length)
    return buffer.length > MOST_BYTES ? letGo() : null
  }

  function letGo(): null {
    long ??= { head: buffer.subarray(0, KEPT_BYTES), bytes: 0 }
    long.bytes += buffer.length
    buffer = Buffer.alloc(0)
    return null
  }

  for await (const chunk of createReadStream(file, { start: at.offset })) {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    if (at.offset === 0 && buffer.subarray(0, BOM.length).equals(BOM)) {
      buffer = buffer.subarray(BOM.length)
      at = { ...at, offset: BOM.length }
    }
    for (let record = next(false); record; record = next(false)) yield record
  }
  for (let record = next(true); record; record = next(true)) yield record
}

/** Where the record at the beginning ends: behind its line feed, 0 if that is not there. RFC 4180: a quote opens a cell. */
function scan(bytes: Buffer, quotes: boolean): { end: number; isOpen: boolean } {
  if (!quotes) return { end: bytes.indexOf(LINE_FEED) + 1, isOpen: false }
  let isOpen = false
  let cellStart = 0
  let closedAt = -1
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (isOpen) {
      if (byte !== QUOTE) continue
      isOpen = false
      closedAt = index
      // A doubled quote closes and opens again.
    } else if (byte === QUOTE) isOpen = index === cellStart || (closedAt >= 0 && closedAt === index - 1)
    else if (byte === COMMA) cellStart = index + 1
    else if (byte === LINE_FEED) return { end: index + 1, isOpen }
  }
  return { end: 0, isOpen }
}

function count(bytes: Buffer): number {
  let found = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) found++
  return found
}
