import { type Style, type Terminal, toPlainLine } from '../terminal.ts'
import type { PrintedValue, SettingsChange } from './change.ts'
import { actionSigns, formatChangePath, formatFieldLine } from './plan-lines.ts'

const styles = { create: 'green', change: 'yellow', delete: 'red' } as const satisfies Record<
  SettingsChange['action'],
  Style
>

/** Prints a plan, with the pictures that it uploads. */
export function showPlan(
  changes: readonly SettingsChange[],
  terminal: Terminal,
  pictures: readonly { name: string }[] = [],
): void {
  for (const change of changes) {
    terminal.print(
      terminal.paint(styles[change.action], `${actionSigns[change.action]} ${formatSafePath(change)}`),
    )
    for (const field of change.fields)
      terminal.print(`    ${toPlainLine(formatFieldLine(field, change.action))}`)
  }
  for (const { name } of pictures) terminal.print(terminal.paint('green', `+ picture ${name}`))
  if (changes.length > 0) terminal.print()
  terminal.print(summaryOf(changes))
}

function summaryOf(changes: readonly SettingsChange[]): string {
  if (changes.length === 0) return 'No changes: the deployment matches the file.'
  const count = (action: SettingsChange['action']) =>
    changes.filter((change) => change.action === action).length
  return `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete.`
}

export const filterDeletions = (changes: readonly SettingsChange[]) =>
  changes.filter(({ action }) => action === 'delete')

/** Returns the path of the changed object in a form that is safe to print. */
export const formatSafePath = (change: SettingsChange): string => toPlainLine(formatChangePath(change))

/** Converts a plan to JSON. */
export const planToJson = (changes: readonly SettingsChange[]) =>
  changes.map((change) => ({
    action: change.action,
    name: formatChangePath(change),
    fields: change.fields.map(({ path, before, after }) => ({
      path: path.join('.'),
      ...(before && { before: valueToJson(before) }),
      ...(after && { after: valueToJson(after) }),
    })),
  }))

const valueToJson = (value: PrintedValue) => ('secret' in value ? { secret: value.secret } : value.value)
