import {
  type ColumnName,
  type ReadUser,
  readHeader,
  readJson,
  readRow,
  type UserFileFormat,
} from '../../../operator/users/formats.ts'
import { type FileRecord, readRecords } from '../../../operator/users/records.ts'
import type { ImportResult } from '../../../src/contract/users/user-import.schema.ts'
import { hashInput, idFromDigest } from '../../../src/domain/digest-id.ts'

/** The users of one call, with the records among them that cannot be read and are not sent. */
type Entry = { record: FileRecord } & ReadUser
export type Rejection = { line: number; code: string; reason: string; text: string }

export type Progress = {
  /** All records before this line are imported or refused. */
  line: number
  created: number
  existing: number
  rejected: number
}

export const NOTHING_DONE: Progress = { line: 1, created: 0, existing: 0, rejected: 0 }

// spec/management#user-import: the API takes 200 users in 1 MiB, and hashes 20 plain passwords; JSON adds to what a file has.
const MAX_USERS = 200
const MAX_CHARACTERS = 256 * 1024
const MAX_PASSWORDS = 20

type Job = {
  format: UserFileFormat
  from: Progress
  /** Answers one result for each user, in order. */
  send: (users: readonly Record<string, unknown>[]) => Promise<readonly ImportResult[]>
  onProgress: (progress: Progress, rejections: readonly Rejection[], bytes: number) => void
  /** Asked before each call. */
  mayGoOn: () => Promise<boolean>
}

/** Imports what is behind `from`. Ids are made of the lines, so what was sent twice is there once. Answers whether it is done. */
export async function importFile(
  file: Blob,
  { format, from, send, onProgress, mayGoOn }: Job,
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
      names = readHeader(record.cells ?? [])
      continue
    }
    if (record.line < from.line || record.text.trim() === '') continue
    const entry = { record, ...(await readUser(record, names)) }
    if (entries.length > 0 && isFull([...entries, entry])) {
      if (!(await mayGoOn())) return false
      await finish(record.line)
    }
    entries.push(entry)
  }
  if (!(await mayGoOn())) return false
  await finish((entries.at(-1)?.record.line ?? progress.line) + 1)
  return true
}

const isFull = (entries: readonly Entry[]): boolean =>
  entries.length > MAX_USERS ||
  entries.reduce((sum, { record }) => sum + record.text.length, 0) > MAX_CHARACTERS ||
  entries.filter((entry) => 'user' in entry && entry.user.password !== undefined).length > MAX_PASSWORDS

async function readUser(record: FileRecord, names: readonly ColumnName[] | undefined): Promise<ReadUser> {
  if (record.problem) return { problem: record.problem }
  const read = names ? readRow(record.cells ?? [], names) : readJson(record.text)
  if (!('user' in read) || (read.user.id !== undefined && read.user.id !== '')) return read
  return { user: { ...read.user, id: await userIdOf(record) } }
}

/** As the command does (operator/users/batches.ts), so that both give a line the same id. */
async function userIdOf({ text, line }: FileRecord): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(hashInput(text, line)))
  return idFromDigest(hexadecimal(hash))
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

const hexadecimal = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
