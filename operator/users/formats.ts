import type { ImportedUser } from '../../src/contract/users/user-import.schema.ts'
import { csvLine, unescapeCell } from '../../src/domain/csv.ts'
import { CommandFailure, UsageError } from '../failure.ts'

/** A user as a file or the server has it; the server checks it. */
export type FileUser = Record<string, unknown>
export type ReadUser = { user: FileUser } | { problem: string }

export const userFileFormats = ['csv', 'jsonl'] as const
export type UserFileFormat = (typeof userFileFormats)[number]

/** Of the commands that read or write such a file. */
export const fileOptions = {
  format: {
    type: 'string',
    value: 'FORMAT',
    help: `${userFileFormats.join(' or ')} (default: by the name of the file)`,
  },
} as const

export function formatOf(file: string, named: string | undefined): UserFileFormat {
  const format = named === undefined ? formatByName(file) : userFileFormats.find((each) => each === named)
  if (!format)
    throw new UsageError(`The format of ${file} is not known: give --format ${userFileFormats.join(' or ')}.`)
  return format
}

/** Null for a file whose name does not tell. */
export const formatByName = (file: string): UserFileFormat | null =>
  /\.csv$/i.test(file) ? 'csv' : /\.(jsonl|ndjson)$/i.test(file) ? 'jsonl' : null

export function readJson(text: string): ReadUser {
  try {
    const user: unknown = JSON.parse(text)
    if (typeof user === 'object' && user !== null && !Array.isArray(user)) return { user: { ...user } }
    return { problem: 'is not an object' }
  } catch {
    return { problem: 'is not JSON' }
  }
}

const isTrue = /^(true|1|yes)$/i
const isFalse = /^(false|0|no)$/i

/** How a cell is read and written. An empty cell means that the user has no such value. */
type Column = { read(cell: string): unknown; write(value: unknown): string }

const words: Column = { read: (cell) => cell, write: String }
const time: Column = {
  read: (cell) => (/^\d+$/.test(cell) ? Number(cell) : timeOf(cell)),
  write: (value) => (typeof value === 'number' ? new Date(value).toISOString() : ''),
}
const json: Column = { read: (cell): unknown => JSON.parse(cell), write: (value) => JSON.stringify(value) }

const truth: Column = {
  read: (cell) => (isTrue.test(cell) ? true : isFalse.test(cell) ? false : cell),
  write: String,
}

const userFileColumns = {
  id: words,
  username: words,
  primaryEmail: words,
  primaryPhone: words,
  name: words,
  avatar: words,
  password: words,
  passwordDigest: words,
  passwordAlgorithm: words,
  emailVerified: truth,
  phoneVerified: truth,
  termsAgreement: json,
  isSuspended: truth,
  createdAt: time,
  lastSignInAt: time,
  profile: json,
  profileUpdatedAt: time,
  /** Separated by semicolons: names of roles contain commas. */
  roleNames: {
    read: (cell) => cell.split(';').map((name) => name.trim()),
    write: (value) => (Array.isArray(value) ? value.join(';') : ''),
  },
  customData: json,
  identities: json,
  totpSecret: words,
  passkeys: json,
} satisfies Record<keyof ImportedUser, Column>
export type ColumnName = keyof typeof userFileColumns

const isColumn = (name: string): name is ColumnName => Object.hasOwn(userFileColumns, name)

/** The first record of a CSV file names its columns. */
export function readHeader(cells: readonly string[]): ColumnName[] {
  const names = cells.map((name) => name.trim())
  const unknown = names.find((name) => !isColumn(name))
  if (names.length === 0 || unknown !== undefined)
    throw new CommandFailure(
      `The first line must name the columns; "${unknown ?? ''}" is none of ${Object.keys(userFileColumns).join(', ')}.`,
    )
  if (new Set(names).size < names.length) throw new CommandFailure('The first line names a column twice.')
  return names.filter(isColumn)
}

export function readRow(cells: readonly string[], header: readonly ColumnName[]): ReadUser {
  if (cells.length !== header.length)
    return { problem: `has ${cells.length} cells in place of ${header.length}` }
  const user: FileUser = {}
  for (const [index, name] of header.entries()) {
    const cell = unescapeCell(cells[index] ?? '')
    if (cell === '') continue
    try {
      user[name] = userFileColumns[name].read(cell)
    } catch {
      return { problem: `${name} cannot be read` }
    }
  }
  return { user }
}

export const headerLine = (names: readonly ColumnName[]) => `${names.join(',')}\r\n`

export function rowLine(user: FileUser, names: readonly ColumnName[]): string {
  const cells = names.map((name) => {
    const value = user[name]
    return value === undefined || value === null ? '' : userFileColumns[name].write(value)
  })
  return csvLine(cells)
}

export const userLine = (user: FileUser, format: UserFileFormat, names: readonly ColumnName[]): string =>
  format === 'csv' ? rowLine(user, names) : `${JSON.stringify(user)}\n`

/** All but passwords, and secrets of authenticator apps unless they are asked for. */
export const exportColumns = (withTotpSecrets: boolean): ColumnName[] =>
  Object.keys(userFileColumns)
    .filter(isColumn)
    .filter((name) => !name.startsWith('password') && (withTotpSecrets || name !== 'totpSecret'))

function timeOf(cell: string): number {
  const time = Date.parse(cell)
  if (Number.isNaN(time)) throw new RangeError('not a time')
  return time
}
