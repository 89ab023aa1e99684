import type { SettingsChange } from '../../../operator/config/change.ts'
import { fieldLine, pathOf, signOf } from '../../../operator/config/plan-lines.ts'

/** As `npm run config -- plan` prints it. */
export function PlanView({ changes }: { changes: readonly SettingsChange[] }) {
  return (
    <ul className="plan">
      {changes.map((change) => (
        <li key={`${change.section}/${change.id}/${change.action}`}>
          <code>
            {signOf[change.action]} {pathOf(change)}
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
