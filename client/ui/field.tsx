import { type ComponentProps, type ReactNode, type RefObject, useRef } from 'react'
import { useHydrated } from '../browser/facts.ts'
import { ClearIcon, EyeClosedIcon, EyeIcon } from './icons.tsx'

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'ref'> & {
  name: string
  label: string
  problem?: string | undefined
  hint?: string | undefined
  /** Names the button that empties the field, if it has one. */
  clearLabel?: string | undefined
  onClear?: (() => void) | undefined
  /** Before what is typed. */
  leading?: ReactNode
  /** Buttons at the end of the field. */
  trailing?: ReactNode
  /** For whoever has to read what is typed. */
  box?: RefObject<HTMLInputElement | null>
}

/** A labelled input with what is wrong with it, if anything. */
export function Field({
  label,
  problem,
  hint,
  clearLabel,
  onClear,
  leading,
  trailing,
  box: givenBox,
  ...input
}: FieldProps) {
  const { name } = input
  const ownBox = useRef<HTMLInputElement>(null)
  const box = givenBox ?? ownBox
  const isHydrated = useHydrated()
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      <div className="field-box">
        {leading}
        <input
          // A blank placeholder lets the styles know whether there is something to clear.
          placeholder=" "
          {...input}
          // Without script nothing else leads to what the server has found wrong.
          {...(problem && !isHydrated && { autoFocus: true })}
          ref={box}
          id={name}
          className="field-input"
          aria-invalid={problem ? true : undefined}
          aria-describedby={described || undefined}
        />
        {clearLabel && (
          <ClearButton
            label={clearLabel}
            onClear={() => {
              empty(box.current)
              onClear?.()
            }}
          />
        )}
        {trailing}
      </div>
      {hint && (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <Problem of={name} text={problem} />
    </div>
  )
}

/** A password that can be looked at: by its own eye, or by a switch that several fields share. */
export function PasswordField({
  isShown,
  toggle,
  ...field
}: FieldProps & {
  isShown: boolean
  toggle?: { onToggle: () => void; showLabel: string; hideLabel: string }
}) {
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      trailing={toggle && <EyeButton isShown={isShown} {...toggle} />}
    />
  )
}

/** Always there, so that a screen reader hears when something is said in it. */
export function Problem({ of: name, text }: { of: string; text: string | undefined }) {
  return (
    <p className="field-problem" id={`${name}-problem`} role="alert">
      {text}
    </p>
  )
}

function EyeButton({
  isShown,
  onToggle,
  showLabel,
  hideLabel,
}: {
  isShown: boolean
  onToggle: () => void
  showLabel: string
  hideLabel: string
}) {
  const isHydrated = useHydrated()
  if (!isHydrated) return null
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={isShown ? hideLabel : showLabel}
      onMouseDown={keepFocus}
      onClick={onToggle}
    >
      {isShown ? <EyeClosedIcon /> : <EyeIcon />}
    </button>
  )
}

function ClearButton({ label, onClear }: { label: string; onClear: () => void }) {
  const isHydrated = useHydrated()
  if (!isHydrated) return null
  return (
    <button
      type="button"
      className="icon-button field-clear"
      // A shortcut for the pointer; with the keyboard the field itself is emptied.
      tabIndex={-1}
      aria-label={label}
      onMouseDown={keepFocus}
      onClick={onClear}
    >
      <ClearIcon />
    </button>
  )
}

const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault()

function empty(input: HTMLInputElement | null): void {
  if (!input) return
  input.value = ''
  input.focus()
}
