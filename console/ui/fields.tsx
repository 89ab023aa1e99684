import { type ReactNode, useEffect, useId, useState } from 'react'
import {
  Checkbox as AriaCheckbox,
  Switch as AriaSwitch,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components'
import { textDirection } from '../../src/domain/experience/direction.ts'
import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { isDeepEqual } from '../api/changes.ts'
import { splitLines } from './lines.ts'

type FieldProps = {
  label: string
  hint?: ReactNode
  /** The problem with the value. Screen readers announce it with the field. */
  problem?: string | undefined
  isDisabled?: boolean
}

export type TextFieldProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'number' | 'tel' | 'datetime-local'
  /** The number of rows. The field is a text area if there is more than one. */
  rows?: number
  placeholder?: string
  isRequired?: boolean
  autoComplete?: string
  /** The values that the browser suggests while the user types. */
  suggestions?: readonly string[]
  onBlur?: () => void
  onKeyDown?: (event: { key: string }) => void
  /** True if the value is an identifier, a key or code. */
  isCode?: boolean
  /** The language of the value, if it isn't the console's. */
  language?: string
  /** Hides the label visually, for example in a table whose headings name the field. */
  isLabelHidden?: boolean
}

export function TextField({
  label,
  hint,
  problem,
  rows = 1,
  isCode,
  isLabelHidden,
  placeholder,
  suggestions,
  language,
  ...field
}: TextFieldProps) {
  const listId = useId()
  const input = {
    className: isCode ? 'code' : '',
    ...(isCode && { spellCheck: false, autoCapitalize: 'none' }),
    placeholder: placeholder ?? '',
    ...(language && { lang: toStandardTag(language), dir: textDirection(language) }),
  }
  return (
    <AriaTextField {...field} className="field" isInvalid={problem !== undefined} validationBehavior="aria">
      <Label className={isLabelHidden ? 'visually-hidden' : ''}>{label}</Label>
      {rows > 1 ? (
        <TextArea {...input} rows={rows} />
      ) : (
        <Input {...input} {...(suggestions && { list: listId })} />
      )}
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
    </AriaTextField>
  )
}

/** A text area with one entry per line, for lists of URLs. */
export function LinesField({
  value,
  onChange,
  ...field
}: Omit<TextFieldProps, 'value' | 'onChange'> & {
  value: readonly string[]
  onChange: (value: string[]) => void
}) {
  const [typed, setTyped] = useState('')
  const text = isDeepEqual(splitLines(typed), value) ? typed : value.join('\n')
  const change = (next: string) => {
    setTyped(next)
    if (!isDeepEqual(splitLines(next), value)) onChange(splitLines(next))
  }
  return (
    <TextField {...field} rows={Math.max(3, text.split('\n').length + 1)} value={text} onChange={change} />
  )
}

type SelectProps<T extends string> = FieldProps & {
  /** Hides the label visually because a heading names the field. */
  isLabelHidden?: boolean
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** The browser's own select element, which works best on phones and needs no script. */
export function Select<T extends string>({
  label,
  isLabelHidden,
  hint,
  problem,
  isDisabled,
  value,
  options,
  onChange,
}: SelectProps<T>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : ''}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        aria-invalid={problem !== undefined}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <div id={`${id}-hint`} className="below">
        {hint && <span className="hint">{hint}</span>}
        {problem && <span className="problem">{problem}</span>}
      </div>
    </div>
  )
}

type ChoiceProps = {
  label: string
  hint?: ReactNode
  isSelected: boolean
  onChange: (isSelected: boolean) => void
  isDisabled?: boolean
}

/** A checkbox whose change takes effect when its form is saved. */
export const Checkbox = ({ label, hint, ...choice }: ChoiceProps) => (
  <AriaCheckbox {...choice} className="choice">
    <span className="box" aria-hidden="true" />
    <ChoiceText label={label} hint={hint} />
  </AriaCheckbox>
)

export const Switch = ({ label, hint, ...choice }: ChoiceProps) => (
  <AriaSwitch {...choice} className="choice switch">
    <span className="track" aria-hidden="true" />
    <ChoiceText label={label} hint={hint} />
  </AriaSwitch>
)

const ChoiceText = ({ label, hint }: Pick<ChoiceProps, 'label' | 'hint'>) => (
  <span>
    {label}
    {hint && <span className="hint">{hint}</span>}
  </span>
)

/** Returns the value once it hasn't changed for this long, so that a search doesn't run on every keystroke. */
export function useDebounced<T>(value: T, milliseconds: number): T {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(() => value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return delayed
}
