import { type RefObject, useEffect, useRef } from 'react'
import { type CodeReceiver, operateCodeBoxes } from '../browser/code-boxes.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useT } from '../context/boot.tsx'
import { CODE_LENGTH, codeBoxNames } from '../journeys/read-code.ts'
import { FieldError } from '../ui/field.tsx'
import '../styles/code.css'

type CodeFieldProps = {
  name: string
  problem: string | undefined
  /** A reference to the fieldset, for callers that clear the code. */
  field?: RefObject<HTMLFieldSetElement | null> | undefined
  /** True if the first box has the focus before the page is hydrated. With JavaScript, the page sets the focus. */
  hasInitialFocus?: boolean | undefined
  /** True if the code was accepted, and the next page is being loaded. */
  isAccepted?: boolean
  /** Waits for a code from a text message received on this device. */
  receive?: CodeReceiver | undefined
}

/**
 * Asks for a code of six digits with one box per digit (spec/pages#code-boxes), whether it was sent to the user or is
 * shown by an app. Without JavaScript, the boxes are plain inputs named `{name}_0` and so on. Each of them accepts the
 * whole code, because the server joins them. The inputs are uncontrolled, so that digits typed before hydration are
 * kept.
 */
export function CodeField({
  name,
  problem,
  field: callerField,
  hasInitialFocus = false,
  isAccepted = false,
  receive,
}: CodeFieldProps) {
  const t = useT()
  const isHydrated = useIsHydrated()
  const ownField = useRef<HTMLFieldSetElement>(null)
  const field = callerField ?? ownField

  useEffect(() => {
    const controller = new AbortController()
    if (field.current) operateCodeBoxes(field.current, { signal: controller.signal, receive })
    return () => controller.abort()
  }, [field, receive])

  return (
    <fieldset
      ref={field}
      className={isAccepted ? 'field code code-accepted' : 'field code'}
      name={name}
      aria-describedby={problem ? `${name}-problem` : undefined}
    >
      <legend className="visually-hidden">{t('vestibule.verification_code')}</legend>
      {/* Digits are written from left to right in every language. */}
      <div className="code-boxes" dir="ltr">
        {codeBoxNames(name).map((box, index) => (
          <input
            key={box}
            {...((problem || hasInitialFocus) && !isHydrated && index === 0 && { autoFocus: true })}
            className="field-box code-box"
            inputMode="numeric"
            enterKeyHint="go"
            name={box}
            aria-label={t('vestibule.digit_of', { number: index + 1, total: CODE_LENGTH })}
            aria-invalid={problem ? true : undefined}
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            // A box accepts the whole code, which may be autofilled, or pasted with spaces between its digits.
            maxLength={2 * CODE_LENGTH}
          />
        ))}
      </div>
      <FieldError of={name} text={problem} />
    </fieldset>
  )
}
