import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { MAX_USERS_PER_IMPORT } from '../../src/contract/users/user-import.schema.ts'
import { buildHashInput, deriveIdFromDigest } from '../../src/domain/digest-id.ts'
import {
  type ColumnName,
  type FileUser,
  type ParsedUser,
  parseHeader,
  parseJsonUser,
  parseUserRow,
  type UserFileFormat,
} from './formats.ts'
import { type FilePosition, type FileRecord, type RecordProblem, readRecords } from './records.ts'

/** The users of one call. Records that cannot be parsed are part of the batch but are not sent. */
export type UserBatch = {
  entries: BatchEntry[]
  /** The position at which the next batch begins. */
  end: FilePosition
}
export type BatchEntry = { record: FileRecord } & ParsedUser

/**
 * The maximum size of a batch in bytes. It is below the limit of the call (1 MiB, spec/limits#bodies), because
 * encoding the users as JSON increases the size.
 */
const MAX_BYTES = 512 * 1024
/** The maximum number of plain-text passwords per call, all of which the server hashes. */
const MAX_PASSWORDS = 20

/** Reads the users of a file in batches, beginning at a position. Each user has an id. */
export async function* readBatches(
  file: string,
  format: UserFileFormat,
  from: FilePosition,
): AsyncGenerator<UserBatch> {
  const header = format === 'csv' ? await readFileHeader(file) : null
  let entries: BatchEntry[] = []
  let bytes = 0
  let passwords = 0
  let end = from

  const start = latest(from, header?.end)
  for await (const record of readRecords(createReadStream(file, { start: start.offset }), format, start)) {
    const size = record.next.offset - record.start
    if (record.text.trim() !== '') {
      const entry = { record, ...readUser(record, header?.names) }
      const hasPassword = 'user' in entry && entry.user.password !== undefined
      const isFull =
        entries.length === MAX_USERS_PER_IMPORT ||
        bytes + size > MAX_BYTES ||
        passwords + Number(hasPassword) > MAX_PASSWORDS
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

function readUser(record: FileRecord, names: readonly ColumnName[] | undefined): ParsedUser {
  if (record.problem !== undefined) return { problem: problemTexts[record.problem] }
  const read = names ? parseUserRow(record.cells ?? [], names) : parseJsonUser(record.text)
  return 'user' in read ? { user: withId(read.user, record) } : read
}

const problemTexts: Record<RecordProblem, string> = {
  quote: 'has a quote where none is allowed',
  open: 'has quotes that are not closed',
  utf8: 'is not UTF-8',
  long: 'is longer than a megabyte',
}

const withId = (user: FileUser, { text, line }: FileRecord): FileUser =>
  user.id === undefined || user.id === '' ? { ...user, id: deriveUserId(text, line) } : user

async function readFileHeader(file: string): Promise<{ names: ColumnName[]; end: FilePosition }> {
  for await (const { cells = [], next } of readRecords(createReadStream(file), 'csv'))
    return { names: parseHeader(cells), end: next }
  return { names: parseHeader([]), end: { offset: 0, line: 1 } }
}

const latest = (from: FilePosition, header: FilePosition | undefined): FilePosition =>
  header && header.offset > from.offset ? header : from

/**
 * Returns the id of a user whose line contains none. The same line always has the same id, so that a batch whose
 * response was lost can be sent again and a file can be imported twice (ADR-0019). The line number is part of the id,
 * because two users may have identical lines. A file with inserted lines counts as a different file, so the state of
 * an import contains the fingerprint of its file.
 */
export function deriveUserId(text: string, line: number): string {
  return deriveIdFromDigest(createHash('sha256').update(buildHashInput(text, line)).digest('hex'))
}
