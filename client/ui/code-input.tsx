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
import { useHydrated } from '../browser/facts.ts'
import { Problem } from './field.tsx'
import '../styles/code.css'

type CodeInputProps = {
  /** For `emptyCode`. */
  field: RefObject<HTMLFieldSetElement | null>
  name: string
  length: number
  legend: string
  digitLabel: (number: number) => string
  problem?: string | undefined
  /** Without script the first box has the focus; with script the page sets it. */
  startsFocused: boolean
  /** Waits for a code that the device has received. */
  receive?: ((signal: AbortSignal) => Promise<string | null>) | undefined
}

/**
 * A code as one box per digit (spec/pages#code-boxes), submitted with its form as soon as it is complete. Without script the boxes
 * are plain inputs named `{name}_0` and so on, and any of them takes the whole code: the reader of the form joins them. The
 * browser owns the values, so digits that are typed before the script arrives stay (ADR-0036).
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
  const isHydrated = useHydrated()
  /** Whether the code was complete before the present digit. */
  const wasComplete = useRef(false)

  const take = useEffectEvent((code: string) => write(0, extractDigits(code)))
  useEffect(() => {
    if (!receive) return
    const leaving = new AbortController()
    receive(leaving.signal).then((code) => code && take(code))
    return () => leaving.abort()
  }, [receive])

  const boxes = () => boxesOf(field.current)
  const look = () => {
    wasComplete.current = isComplete(boxes())
  }

  /** Fills forward from a box; a whole code fills all of them. */
  function write(at: number, digits: string) {
    const all = boxes()
    const from = digits.length >= length ? 0 : at
    const end = Math.min(from + digits.length, length)
    for (const [index, box] of all.slice(from, end).entries()) box.value = digits[index] ?? ''
    all[Math.min(end, length - 1)]?.focus()
    // A code that is typed over a complete one is not complete after its first digit.
    if (isComplete(all) && (end === length || !wasComplete.current)) field.current?.form?.requestSubmit()
  }

  /** Handles the keys, because a full box would take a second digit. */
  function press(event: KeyboardEvent<HTMLInputElement>) {
    look()
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
        empty(box.value === '' ? all[at - 1] : box)
        break
      default:
        if (key.length > 1) return // Tab, Enter, Delete and the like; keyboards of phones often report no key
        if (extractDigits(key)) write(at, extractDigits(key))
    }
    event.preventDefault()
  }

  /** Input without a key: from the keyboard of a phone, or filled in. */
  function type({ currentTarget: box }: FormEvent<HTMLInputElement>) {
    const digits = extractDigits(box.value)
    box.value = ''
    if (digits) write(boxes().indexOf(box), digits)
  }

  function paste(event: ClipboardEvent<HTMLInputElement>) {
    event.preventDefault()
    look()
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
      {/* Digits run from left to right in every writing system. */}
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
            // More than one: the code may be filled in or pasted whole.
            maxLength={length}
            pattern="[0-9]*"
            onFocus={(event) => {
              look()
              event.currentTarget.select()
            }}
            onKeyDown={press}
            onInput={type}
            onPaste={paste}
          />
        ))}
      </div>
      <Problem of={name} text={problem} />
    </fieldset>
  )
}

/** Empties the whole code, for another one. */
export function emptyCode(field: HTMLFieldSetElement | null): void {
  for (const box of boxesOf(field).toReversed()) empty(box)
}

const boxesOf = (field: HTMLFieldSetElement | null) => [...(field?.querySelectorAll('input') ?? [])]

const isComplete = (boxes: readonly HTMLInputElement[]) => boxes.every(({ value }) => value !== '')

function empty(box: HTMLInputElement | undefined): void {
  if (!box) return
  box.value = ''
  box.focus()
}
