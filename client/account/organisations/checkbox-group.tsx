import type { ReactNode } from 'react'
import { useProblem } from '../account-view.tsx'

type Option = { value: string; label: ReactNode; hint?: string | null; isDisabled?: boolean }

/** Checkboxes of one name below a legend. `id` distinguishes the groups of one name on a page. */
export function CheckboxGroup({
  id,
  name,
  legend,
  hint,
  options,
  chosen,
}: {
  id: string
  name: string
  legend: string
  hint?: string
  options: readonly Option[]
  chosen: readonly string[]
}) {
  const problem = useProblem(name)
  const ids = { hint: `${name}-${id}-hint`, problem: `${name}-${id}-problem` }
  const description = [hint && ids.hint, problem && ids.problem].filter(Boolean).join(' ') || undefined
  return (
    <fieldset className="account-choice" aria-describedby={description}>
      <legend>{legend}</legend>
      {options.map(({ value, label, hint: optionHint, isDisabled }) => (
        <label key={value} className="checkbox-label">
          <input
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
            disabled={isDisabled}
          />
          <span>
            {label}
            {optionHint && <span className="account-choice-hint">{optionHint}</span>}
          </span>
        </label>
      ))}
      {hint && (
        <p className="field-hint" id={ids.hint}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={ids.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
