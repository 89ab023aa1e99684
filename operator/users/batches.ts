import { MOST_IMPORTED } from '../../src/contract/user-import.schema.ts'
import {
  type ColumnName,
  type FileUser,
  type Format,
  type Read,
  readHeader,
  readJson,
  readRow,
} from './formats.ts'
import { type FileRecord, type Position, readRecords } from './records.ts'
import { userIdOf } from './user-id.ts'

/** What is sent in one call, with the lines that need not be sent because they are wrong already. */
export type Batch = {
  entries: Entry[]
  /** Where the next one begins. */
  end: Position
}
export type Entry = { record: FileRecord } & Read

/** Below what the call takes (1 MiB), with room for what JSON adds. */
const MOST_BYTES = 512 * 1024
/** Of plain passwords so many are hashed in one call. */
const MOST_PASSWORDS = 20

/** The users of a file from a position on, in batches, every one with an id. */
export async function* readBatches(file: string, format: Format, from: Position): AsyncGenerator<Batch> {
  const header = format === 'csv' ? await headerOf(file) : null
  let entries: Entry[] = []
  let bytes = 0
  let passwords = 0
  let end = from

  for await (const record of readRecords(file, {
    quotes: format === 'csv',
    from: later(from, header?.end),
  })) {
    const size = record.next.offset - record.start
    if (record.text.trim() !== '') {
      const entry = { record, ...readUser(record, header?.names) }
      const hasPassword = 'user' in entry && entry.user.password !== undefined
      const isFull =
        entries.length === MOST_IMPORTED ||
        bytes + size > MOST_BYTES ||
        passwords + Number(hasPassword) > MOST_PASSWORDS
      if (isFull && entries.length > 0) {
        yield { entries, end }
        entries = []
        bytes = 0
        passwords = 0
      }
      entries.push(entry)
      bytes += size
      passwords += Number(hasPassword)
    }
    end = record.next
  }
  if (entries.length > 0) yield { entries, end }
}

function readUser(record: FileRecord, names: readonly ColumnName[] | undefined): Read {
  if (record.problem !== undefined) return { problem: record.problem }
  const read = names ? readRow(record.text, names) : readJson(record.text)
  return 'user' in read ? { user: withId(read.user, record) } : read
}

const withId = (user: FileUser, { text, line }: FileRecord): FileUser =>
  user.id === undefined || user.id === '' ? { ...user, id: userIdOf(text, line) } : user

async function headerOf(file: string): Promise<{ names: ColumnName[]; end: Position }> {
  for await (const record of readRecords(file, { quotes: true }))
    return { names: readHeader(record.text), end: record.next }
  return { names: readHeader(''), end: { offset: 0, line: 1 } }
}

const later = (from: Position, header: Position | undefined): Position =>
  header && header.offset > from.offset ? header : from
