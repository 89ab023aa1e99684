import { type ComponentProps, type ReactNode, type RefObject, useRef } from 'react'
import { useIsHydrated } from '../browser/facts.ts'
import { useT } from '../context/boot.tsx'
import { ClearIcon, EyeClosedIcon, EyeIcon, WarningSign } from './icons.tsx'

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'ref'> & {
  name: string
  label: string
  problem?: string | undefined
  hint?: ReactNode
  /** True if the field has a button that clears it. */
  isClearable?: boolean
  onClear?: (() => void) | undefined
  /** The content inside the field, before the text. */
  leading?: ReactNode
  /** Buttons at the end of the field. */
  trailing?: ReactNode
  /** The content beside the space for the error message. */
  below?: ReactNode
  /** A reference to the input element, for callers that read its text. */
  box?: RefObject<HTMLInputElement | null>
}

/** A labelled input with its error message, if there is one. */
export function Field({
  label,
  problem,
  hint,
  isClearable,
  onClear,
  leading,
  trailing,
  below,
  box: callerBox,
  ...input
}: FieldProps) {
  const { name } = input
  const ownBox = useRef<HTMLInputElement>(null)
  const box = callerBox ?? ownBox
  const t = useT()
  const isHydrated = useIsHydrated()
  return (
    <FieldFrame name={name} label={label} problem={problem} hint={hint} below={below}>
      {(attributes) => (
        <>
          {leading}
          <input
            // With a blank placeholder, CSS can tell whether there is text to clear.
            placeholder=" "
            {...input}
            // Without JavaScript, only `autofocus` brings the user to the field that the server rejected.
            {...(problem && !isHydrated && { autoFocus: true })}
            ref={box}
            {...attributes}
          />
          {isClearable && (
            <FieldButton
              className="icon-button field-clear"
              // The clear button is only for pointer users. Keyboard users can delete the text itself.
              tabIndex={-1}
              aria-label={t('vestibule.clear')}
              onClick={() => {
                clearInput(box.current)
                onClear?.()
              }}
            >
              <ClearIcon />
            </FieldButton>
          )}
          {trailing}
        </>
      )}
    </FieldFrame>
  )
}

type FrameProps = Pick<FieldProps, 'name' | 'label' | 'problem' | 'hint' | 'below'> & {
  /** Renders the control with the attributes that associate it with its label, hint and error message. */
  children: (attributes: ReturnType<typeof attributesOf>) => ReactNode
}

/** A label, hint and error message around a control. */
export function FieldFrame({ name, label, problem, hint, below, children }: FrameProps) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      <div className="field-box">{children(attributesOf(name, hint, problem))}</div>
      {below}
      {hint && (
        <div className="field-hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      <FieldError of={name} text={problem} />
    </div>
  )
}

const attributesOf = (name: string, hint: ReactNode, problem: string | undefined) => ({
  id: name,
  className: 'field-input',
  'aria-invalid': problem ? true : undefined,
  'aria-describedby':
    [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ') || undefined,
})

/** A password field. The password can be revealed by its own button or by a checkbox that several fields share. */
export function PasswordField({
  isShown,
  onToggle,
  below,
  ...field
}: FieldProps & {
  isShown: boolean
  /** Undefined if a separate checkbox reveals the password. */
  onToggle?: (() => void) | undefined
}) {
  const t = useT()
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        onToggle && (
          <FieldButton
            aria-label={t(isShown ? 'vestibule.hide_password' : 'action.show_password')}
            onClick={onToggle}
          >
            {isShown ? <EyeClosedIcon /> : <EyeIcon />}
          </FieldButton>
        )
      }
      below={
        <>
          {below}
          {/* This space is filled in while Caps Lock is on (`client/browser/caps-lock.ts`). */}
          <p className="caps-lock" role="status" data-caps-lock={t('vestibule.caps_lock')} />
        </>
      }
    />
  )
}

/** The element is always in the document, so that screen readers announce a message that appears in it. */
export function FieldError({ of: name, text }: { of: string; text: string | undefined }) {
  return (
    <p className="field-problem" id={`${name}-problem`} role="alert">
      {text}
      {text && <WarningSign />}
    </p>
  )
}

/**
 * A button that needs JavaScript. Before hydration, its space is reserved. Pressing it leaves the focus in the
 * field.
 */
function FieldButton({ className = 'icon-button', ...button }: ComponentProps<'button'>) {
  const isHydrated = useIsHydrated()
  if (!isHydrated) return <span className={className} />
  return (
    <button type="button" className={className} onMouseDown={(event) => event.preventDefault()} {...button} />
  )
}

export function clearInput(input: HTMLInputElement | null): void {
  if (!input) return
  input.value = ''
  input.focus()
}
