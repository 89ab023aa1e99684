import { plainLine, type Style, type Terminal } from '../terminal.ts'
import type { ChangedField, SettingsChange, ShownValue } from './change.ts'
import { placeOf } from './state.ts'

const signs = {
  create: { sign: '+', style: 'green' },
  change: { sign: '~', style: 'yellow' },
  delete: { sign: '-', style: 'red' },
} as const satisfies Record<SettingsChange['action'], { sign: string; style: Style }>

/** Prints a plan. */
export function showPlan(changes: readonly SettingsChange[], terminal: Terminal): void {
  for (const change of changes) {
    const { sign, style } = signs[change.action]
    terminal.say(terminal.paint(style, `${sign} ${nameOf(change)}`))
    for (const field of change.fields) terminal.say(`    ${fieldLine(field, change.action)}`)
  }
  if (changes.length > 0) terminal.say()
  terminal.say(summaryOf(changes))
}

export function summaryOf(changes: readonly SettingsChange[]): string {
  if (changes.length === 0) return 'No changes: the deployment matches the file.'
  const count = (wanted: SettingsChange['action']) => changes.filter(({ action }) => action === wanted).length
  return `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete.`
}

export const deletionsOf = (changes: readonly SettingsChange[]) =>
  changes.filter(({ action }) => action === 'delete')

/** The path of the object in the file. */
export const nameOf = ({ section, id }: SettingsChange): string => plainLine(placeOf(section, id).join('.'))

function fieldLine({ path, before, after }: ChangedField, action: SettingsChange['action']): string {
  const name = plainLine(path.join('.'))
  if (action !== 'change') return `${name}: ${shown(action === 'create' ? after : before)}`
  return `${name}: ${shown(before)} -> ${shown(after)}`
}

const LONGEST = 160

function shown(value: ShownValue | undefined): string {
  if (value === undefined) return '(none)'
  if ('secret' in value) return value.secret === null ? '(secret)' : `(secret ${value.secret})`
  const text = plainLine(JSON.stringify(value.value))
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}... (${text.length} characters)`
}

/** A plan as JSON. */
export const planAnswer = (changes: readonly SettingsChange[]) =>
  changes.map((change) => ({
    action: change.action,
    name: placeOf(change.section, change.id).join('.'),
    fields: change.fields.map(({ path, before, after }) => ({
      path: path.join('.'),
      ...(before && { before: answered(before) }),
      ...(after && { after: answered(after) }),
    })),
  }))

const answered = (shown: ShownValue) => ('secret' in shown ? { secret: shown.secret } : shown.value)
