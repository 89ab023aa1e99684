import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import { extractDigits } from '../../src/domain/digits.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { FieldError } from './field.tsx'
import '../styles/code.css'

type CodeInputProps = {
  /** A reference to the fieldset, which callers pass to `clearCode`. */
  field: RefObject<HTMLFieldSetElement | null>
  name: string
  length: number
  legend: string
  digitLabel: (number: number) => string
  problem?: string | undefined
  /** Whether the first box is focused when JavaScript is off. Otherwise, the page sets the focus. */
  startsFocused: boolean
  /** Waits for a code from a text message received on this device. */
  receive?: ((signal: AbortSignal) => Promise<string | null>) | undefined
}

/**
 * Asks for a code with one box per digit (spec/pages#code-boxes), and submits its form once the code is complete.
 * Without JavaScript, the boxes are plain inputs named `{name}_0` and so on. Each of them accepts the whole code,
 * because the server joins them. The inputs are uncontrolled, so that digits typed before hydration are kept.
 */
export function CodeInput({
  field,
  name,
  length,
  legend,
  digitLabel,
  problem,
  startsFocused,
  receive,
}: CodeInputProps) {
  const isHydrated = useIsHydrated()
  /** Whether the code was complete before the latest digit. */
  const wasComplete = useRef(false)

  const fillIn = useEffectEvent((code: string) => write(0, extractDigits(code)))
  useEffect(() => {
    if (!receive) return
    const controller = new AbortController()
    receive(controller.signal).then((code) => code && fillIn(code))
    return () => controller.abort()
  }, [receive])

  const boxes = () => boxesOf(field.current)
  const recordCompleteness = () => {
    wasComplete.current = isComplete(boxes())
  }

  /** Fills the boxes from `at` onwards. A whole code fills all boxes. */
  function write(at: number, digits: string) {
    const all = boxes()
    const from = digits.length >= length ? 0 : at
    const end = Math.min(from + digits.length, length)
    for (const [index, box] of all.slice(from, end).entries()) box.value = digits[index] ?? ''
    all[Math.min(end, length - 1)]?.focus()
    // While the user types a new code over a complete one, do not submit the form before the last digit.
    if (isComplete(all) && (end === length || !wasComplete.current)) field.current?.form?.requestSubmit()
  }

  /** Handles key presses itself, because a box that already has a digit would accept a second one. */
  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    recordCompleteness()
    const { key, currentTarget: box } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const all = boxes()
    const at = all.indexOf(box)
    switch (key) {
      case 'ArrowLeft':
        all[at - 1]?.focus()
        break
      case 'ArrowRight':
        all[at + 1]?.focus()
        break
      case 'ArrowUp':
      case 'ArrowDown':
        break
      case 'Backspace':
        clearInput(box.value === '' ? all[at - 1] : box)
        break
      default:
        if (key.length > 1) return // let the browser handle Tab, Enter and Delete; phone keyboards often report no key
        if (extractDigits(key)) write(at, extractDigits(key))
    }
    event.preventDefault()
  }

  /** Handles input without a key press, from a phone's keyboard or from autofill. */
  function handleInput({ currentTarget: box }: FormEvent<HTMLInputElement>) {
    const digits = extractDigits(box.value)
    box.value = ''
    if (digits) write(boxes().indexOf(box), digits)
  }

  function paste(event: ClipboardEvent<HTMLInputElement>) {
    event.preventDefault()
    recordCompleteness()
    const digits = extractDigits(event.clipboardData.getData('text'))
    if (digits) write(boxes().indexOf(event.currentTarget), digits)
  }

  return (
    <fieldset
      ref={field}
      className="field code"
      name={name}
      aria-describedby={problem ? `${name}-problem` : undefined}
    >
      <legend className="visually-hidden">{legend}</legend>
      {/* Digits are written from left to right in every language. */}
      <div className="code-boxes" dir="ltr">
        {Array.from({ length }, (_, index) => `${name}_${index}`).map((id, index) => (
          <input
            key={id}
            {...((problem || startsFocused) && !isHydrated && index === 0 && { autoFocus: true })}
            className="code-box"
            type="text"
            inputMode="numeric"
            id={id}
            name={id}
            aria-label={digitLabel(index + 1)}
            aria-invalid={problem ? true : undefined}
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            // A box accepts more than one digit, because the whole code may be autofilled or pasted.
            maxLength={length}
            pattern="[0-9]*"
            onFocus={(event) => {
              recordCompleteness()
              event.currentTarget.select()
            }}
            onKeyDown={handleKey}
            onInput={handleInput}
            onPaste={paste}
          />
        ))}
      </div>
      <FieldError of={name} text={problem} />
    </fieldset>
  )
}

/** Clears all boxes for a new code and focuses the first. */
export function clearCode(field: HTMLFieldSetElement | null): void {
  for (const box of boxesOf(field).toReversed()) clearInput(box)
}

const boxesOf = (field: HTMLFieldSetElement | null) => [...(field?.querySelectorAll('input') ?? [])]

const isComplete = (boxes: readonly HTMLInputElement[]) => boxes.every(({ value }) => value !== '')

function clearInput(box: HTMLInputElement | undefined): void {
  if (!box) return
  box.value = ''
  box.focus()
}
