import type { ChangedField, PrintedValue, SettingsChange } from './change.ts'
import { pathInFile } from './state.ts'

/** Formats the lines of a plan, for the terminal and for the console. */

export const actionSigns = { create: '+', change: '~', delete: '-' } as const satisfies Record<
  SettingsChange['action'],
  string
>

/** Returns the path of the changed object in the file. */
export const formatChangePath = ({ section, id }: SettingsChange): string => pathInFile(section, id).join('.')

export function formatFieldLine(
  { path, before, after }: ChangedField,
  action: SettingsChange['action'],
): string {
  const name = path.join('.')
  if (action !== 'change') return `${name}: ${formatValue(action === 'create' ? after : before)}`
  return `${name}: ${formatValue(before)} -> ${formatValue(after)}`
}

const MAX_LENGTH = 160

function formatValue(value: PrintedValue | undefined): string {
  if (value === undefined) return '(none)'
  if ('secret' in value) return value.secret === null ? '(secret)' : `(secret ${value.secret})`
  const text = JSON.stringify(value.value)
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}... (${text.length} characters)`
}
