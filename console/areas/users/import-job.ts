import {
  type ColumnName,
  type ParsedUser,
  parseHeader,
  parseJsonUser,
  parseUserRow,
  type UserFileFormat,
} from '../../../operator/users/formats.ts'
import { type FileRecord, readRecords } from '../../../operator/users/records.ts'
import type { ImportResult } from '../../../src/contract/users/user-import.schema.ts'
import { buildHashInput, deriveIdFromDigest } from '../../../src/domain/digest-id.ts'

/** A record of the file. Records that can't be parsed aren't sent. */
type Entry = { record: FileRecord } & ParsedUser
export type Rejection = { line: number; code: string; reason: string; text: string }

export type Progress = {
  /** The number of the first line that hasn't been processed yet. */
  line: number
  created: number
  existing: number
  rejected: number
}

export const NO_PROGRESS: Progress = { line: 1, created: 0, existing: 0, rejected: 0 }

// A call can contain at most 200 users, 1 MiB, and 20 plain passwords to hash (spec/management#user-import). Users
// take more space as JSON than as lines of the file.
const MAX_USERS = 200
const MAX_CHARACTERS = 256 * 1024
const MAX_PASSWORDS = 20

type Job = {
  format: UserFileFormat
  from: Progress
  /** Sends users and returns one result per user, in order. */
  send: (users: readonly Record<string, unknown>[]) => Promise<readonly ImportResult[]>
  onProgress: (progress: Progress, rejections: readonly Rejection[], bytes: number) => void
  /** Called before each call. The import stops if it returns false. */
  mayContinue: () => Promise<boolean>
}

/**
 * Imports the records after `from`. Returns whether the import is complete. Ids are derived from the lines, so a user
 * who is sent twice is created only once.
 */
export async function importFile(
  file: Blob,
  { format, from, send, onProgress, mayContinue }: Job,
): Promise<boolean> {
  let progress = from
  let bytes = 0
  let names: readonly ColumnName[] | undefined
  let entries: Entry[] = []

  async function finish(line: number): Promise<void> {
    const rejections = await importEntries(entries, send)
    const users = entries.length - rejections.rejected.length
    progress = {
      line,
      created: progress.created + users - rejections.existing,
      existing: progress.existing + rejections.existing,
      rejected: progress.rejected + rejections.rejected.length,
    }
    entries = []
    onProgress(progress, rejections.rejected, bytes)
  }

  for await (const record of readRecords(file.stream(), format)) {
    bytes = record.next.offset
    if (format === 'csv' && !names) {
      names = parseHeader(record.cells ?? [])
      continue
    }
    if (record.line < from.line || record.text.trim() === '') continue
    const entry = { record, ...(await readUser(record, names)) }
    if (entries.length > 0 && exceedsCallLimits([...entries, entry])) {
      if (!(await mayContinue())) return false
      await finish(record.line)
    }
    entries.push(entry)
  }
  if (!(await mayContinue())) return false
  await finish((entries.at(-1)?.record.line ?? progress.line) + 1)
  return true
}

const exceedsCallLimits = (entries: readonly Entry[]): boolean =>
  entries.length > MAX_USERS ||
  entries.reduce((sum, { record }) => sum + record.text.length, 0) > MAX_CHARACTERS ||
  entries.filter((entry) => 'user' in entry && entry.user.password !== undefined).length > MAX_PASSWORDS

async function readUser(record: FileRecord, names: readonly ColumnName[] | undefined): Promise<ParsedUser> {
  if (record.problem) return { problem: record.problem }
  const read = names ? parseUserRow(record.cells ?? [], names) : parseJsonUser(record.text)
  if (!('user' in read) || (read.user.id !== undefined && read.user.id !== '')) return read
  return { user: { ...read.user, id: await userIdOf(record) } }
}

/**
 * Derives the id in the same way as the command (operator/users/batches.ts), so that both derive the same id from a
 * line.
 */
async function userIdOf({ text, line }: FileRecord): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(buildHashInput(text, line)))
  return deriveIdFromDigest(toHex(hash))
}

async function importEntries(entries: readonly Entry[], send: Job['send']) {
  const readable = entries.flatMap((entry) => ('user' in entry ? [entry] : []))
  const results = readable.length === 0 ? [] : await send(readable.map(({ user }) => user))
  const rejected = entries.flatMap(({ record, ...read }): Rejection[] => {
    const at = { line: record.line, text: record.text }
    if ('problem' in read) return [{ ...at, code: 'line', reason: read.problem }]
    const result = results[readable.findIndex((entry) => entry.record === record)]
    if (result && result.status !== 'rejected') return []
    const { code = 'line', message = '', details = '' } = result?.error ?? {}
    return [{ ...at, code, reason: result ? `${message} ${details}`.trim() : 'unanswered' }]
  })
  return { rejected, existing: results.filter(({ status }) => status === 'existing').length }
}

const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
