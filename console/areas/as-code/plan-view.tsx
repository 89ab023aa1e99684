import type { ChangedField, SettingsChange, ShownValue } from '../../../operator/config/change.ts'
import { placeOf } from '../../../operator/config/state.ts'

const signs = { create: '+', change: '~', delete: '-' } as const

/** As `npm run config -- plan` prints it (operator/config/show.ts). */
export function PlanView({ changes }: { changes: readonly SettingsChange[] }) {
  return (
    <ul className="plan">
      {changes.map((change) => (
        <li key={`${change.section}/${change.id}/${change.action}`}>
          <code>
            {signs[change.action]} {placeOf(change.section, change.id).join('.')}
          </code>
          <ul>
            {change.fields.map((field) => (
              <li key={field.path.join('.')}>
                <code>{fieldLine(field, change.action)}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function fieldLine({ path, before, after }: ChangedField, action: SettingsChange['action']): string {
  const name = path.join('.')
  if (action !== 'change') return `${name}: ${shown(action === 'create' ? after : before)}`
  return `${name}: ${shown(before)} -> ${shown(after)}`
}

function shown(value: ShownValue | undefined): string {
  if (value === undefined) return '(none)'
  return 'secret' in value ? '(secret)' : JSON.stringify(value.value)
}
