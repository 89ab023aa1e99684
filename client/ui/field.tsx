import { type ComponentProps, type ReactNode, type RefObject, useRef } from 'react'
import { useHydrated } from '../browser/facts.ts'
import { ClearIcon, EyeClosedIcon, EyeIcon } from './icons.tsx'

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'ref'> & {
  name: string
  label: string
  problem?: string | undefined
  hint?: ReactNode
  /** The label of the button that empties the field, if it has one. */
  clearLabel?: string | undefined
  onClear?: (() => void) | undefined
  /** Inside the field, before the text. */
  leading?: ReactNode
  /** Buttons at the end of the field. */
  trailing?: ReactNode
  /** Beside the place of the problem. */
  below?: ReactNode
  /** For a caller that reads the text. */
  box?: RefObject<HTMLInputElement | null>
}

/** A labelled input with its error message, if any. */
export function Field({
  label,
  problem,
  hint,
  clearLabel,
  onClear,
  leading,
  trailing,
  below,
  box: givenBox,
  ...input
}: FieldProps) {
  const { name } = input
  const ownBox = useRef<HTMLInputElement>(null)
  const box = givenBox ?? ownBox
  const isHydrated = useHydrated()
  return (
    <FieldFrame {...{ name, label, problem, hint, below }}>
      {(stated) => (
        <>
          {leading}
          <input
            // With a blank placeholder the styles can tell whether there is text to clear.
            placeholder=" "
            {...input}
            // Without script nothing else leads to the field that the server has refused.
            {...(problem && !isHydrated && { autoFocus: true })}
            ref={box}
            {...stated}
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
        </>
      )}
    </FieldFrame>
  )
}

type FrameProps = Pick<FieldProps, 'name' | 'label' | 'problem' | 'hint' | 'below'> & {
  /** The control, with what ties it to its label, hint and problem. */
  children: (stated: ReturnType<typeof statedOf>) => ReactNode
}

/** Label, hint and problem around one control. */
export function FieldFrame({ name, label, problem, hint, below, children }: FrameProps) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      <div className="field-box">{children(statedOf(name, hint, problem))}</div>
      {below}
      {hint && (
        <div className="field-hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      <Problem of={name} text={problem} />
    </div>
  )
}

const statedOf = (name: string, hint: ReactNode, problem: string | undefined) => ({
  id: name,
  className: 'field-input',
  'aria-invalid': problem ? true : undefined,
  'aria-describedby':
    [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ') || undefined,
})

/** A password that can be shown: by a button of its own, or by a checkbox that several fields share. */
export function PasswordField({
  isShown,
  toggle,
  capsLock,
  below,
  ...field
}: FieldProps & {
  isShown: boolean
  /** Said while Caps Lock is on (`client/browser/caps-lock.ts`). */
  capsLock: string
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
      below={
        <>
          {below}
          <p className="caps-lock" role="status" data-caps-lock={capsLock} />
        </>
      }
    />
  )
}

/** Always in the document, so that screen readers announce a message that appears in it. */
export function Problem({ of: name, text }: { of: string; text: string | undefined }) {
  return (
    <p className="field-problem" id={`${name}-problem`} role="alert">
      {text}
    </p>
  )
}

/** Needs the script; until then its place is kept. */
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
  if (!isHydrated) return <span className="icon-button" />
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
  if (!isHydrated) return <span className="icon-button field-clear" />
  return (
    <button
      type="button"
      className="icon-button field-clear"
      // For the pointer; with the keyboard the text itself is deleted.
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

export function empty(input: HTMLInputElement | null): void {
  if (!input) return
  input.value = ''
  input.focus()
}
