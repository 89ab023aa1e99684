import type { ImportedUser } from '../../src/contract/users/user-import.schema.ts'
import { csvLine, unescapeCell } from '../../src/domain/csv.ts'
import { CommandFailure, UsageError } from '../failure.ts'

/** A user as represented in a file or by the server. Only the server validates it. */
export type FileUser = Record<string, unknown>
export type ParsedUser = { user: FileUser } | { problem: string }

export const userFileFormats = ['csv', 'jsonl'] as const
export type UserFileFormat = (typeof userFileFormats)[number]

/** The options of the commands that read or write a file of users. */
export const fileOptions = {
  format: {
    type: 'string',
    value: 'FORMAT',
    help: `${userFileFormats.join(' or ')} (default: derived from the file name)`,
  },
} as const

export const formatUserCount = (count: number): string => `${count} ${count === 1 ? 'user' : 'users'}`

export function resolveFormat(file: string, formatName: string | undefined): UserFileFormat {
  const format =
    formatName === undefined ? detectFormat(file) : userFileFormats.find((each) => each === formatName)
  if (!format)
    throw new UsageError(`We don't know the format of ${file}. Add --format ${userFileFormats.join(' or ')}.`)
  return format
}

/** Returns the format that a file's extension indicates, or null if it indicates none. */
export const detectFormat = (file: string): UserFileFormat | null =>
  /\.csv$/i.test(file) ? 'csv' : /\.(jsonl|ndjson)$/i.test(file) ? 'jsonl' : null

export function parseJsonUser(text: string): ParsedUser {
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

/** Converts between a cell and a value of a user. An empty cell means that the user has no such value. */
type Column = { read(cell: string): unknown; write(value: unknown): string }

const textColumn: Column = { read: (cell) => cell, write: String }
const timeColumn: Column = {
  read: (cell) => (/^\d+$/.test(cell) ? Number(cell) : parseTime(cell)),
  write: (value) => (typeof value === 'number' ? new Date(value).toISOString() : ''),
}
const jsonColumn: Column = {
  read: (cell): unknown => JSON.parse(cell),
  write: (value) => JSON.stringify(value),
}

const booleanColumn: Column = {
  read: (cell) => (isTrue.test(cell) ? true : isFalse.test(cell) ? false : cell),
  write: String,
}

const userFileColumns = {
  id: textColumn,
  username: textColumn,
  primaryEmail: textColumn,
  primaryPhone: textColumn,
  name: textColumn,
  avatar: textColumn,
  password: textColumn,
  passwordDigest: textColumn,
  passwordAlgorithm: textColumn,
  emailVerified: booleanColumn,
  phoneVerified: booleanColumn,
  termsAgreement: jsonColumn,
  isSuspended: booleanColumn,
  createdAt: timeColumn,
  lastSignInAt: timeColumn,
  profile: jsonColumn,
  profileUpdatedAt: timeColumn,
  /** The names are separated by semicolons, because the names of roles can contain commas. */
  roleNames: {
    read: (cell) => cell.split(';').map((name) => name.trim()),
    write: (value) => (Array.isArray(value) ? value.join(';') : ''),
  },
  customData: jsonColumn,
  identities: jsonColumn,
  totpSecret: textColumn,
  passkeys: jsonColumn,
} satisfies Record<keyof ImportedUser, Column>
export type ColumnName = keyof typeof userFileColumns

const isColumn = (name: string): name is ColumnName => Object.hasOwn(userFileColumns, name)

/** Reads the header of a CSV file: its first record, which names the columns. */
export function parseHeader(cells: readonly string[]): ColumnName[] {
  const names = cells.map((name) => name.trim())
  const unknown = names.find((name) => !isColumn(name))
  if (names.length === 0 || unknown !== undefined)
    throw new CommandFailure(
      `The first line must name the columns, but "${unknown ?? ''}" isn't one of ${Object.keys(userFileColumns).join(', ')}.`,
    )
  if (new Set(names).size < names.length) throw new CommandFailure('The first line names a column twice.')
  return names.filter(isColumn)
}

export function parseUserRow(cells: readonly string[], header: readonly ColumnName[]): ParsedUser {
  if (cells.length !== header.length)
    return { problem: `has ${cells.length} cells instead of ${header.length}` }
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

export const formatHeaderLine = (names: readonly ColumnName[]) => `${names.join(',')}\r\n`

export function formatRowLine(user: FileUser, names: readonly ColumnName[]): string {
  const cells = names.map((name) => {
    const value = user[name]
    return value === undefined || value === null ? '' : userFileColumns[name].write(value)
  })
  return csvLine(cells)
}

export const formatUserLine = (
  user: FileUser,
  format: UserFileFormat,
  names: readonly ColumnName[],
): string => (format === 'csv' ? formatRowLine(user, names) : `${JSON.stringify(user)}\n`)

/**
 * Returns all columns except passwords. Secrets of authenticator apps are only included if they are requested.
 */
export const getExportColumns = (withTotpSecrets: boolean): ColumnName[] =>
  Object.keys(userFileColumns)
    .filter(isColumn)
    .filter((name) => !name.startsWith('password') && (withTotpSecrets || name !== 'totpSecret'))

function parseTime(cell: string): number {
  const time = Date.parse(cell)
  if (Number.isNaN(time)) throw new RangeError('not a time')
  return time
}
