import { useId } from 'react'

type SegmentsProps<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  isDisabled?: boolean
}

/**
 * A choice between a few options that are all visible. The arrow keys move between them, as in any group of radio
 * buttons.
 */
export function SegmentedControl<T extends string>({
  label,
  value,
  options,
  onChange,
  isDisabled,
}: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset className="segments" disabled={isDisabled}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
