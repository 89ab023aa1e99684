/**
 * The behaviour of the boxes of a code (spec/pages#code-boxes). It works on the document, because the sign-in pages and
 * the account centre, whose pages only the server renders, share it.
 */

export type CodeReceiver = (signal: AbortSignal) => Promise<string | null>

/**
 * Makes the boxes one field: digits move the focus on, a whole code fills all boxes, and a complete code submits the
 * form. `receive` waits for a code from a text message received on this device.
 */
export function operateCodeBoxes(
  field: HTMLFieldSetElement,
  { signal, receive }: { signal: AbortSignal; receive?: CodeReceiver | undefined },
): void {
  const boxes = boxesOf(field)
  /** True if the code was complete before the latest digit. */
  let wasComplete = false

  listen('focusin', ({ target }) => {
    recordCompleteness()
    boxAt(target)?.select()
  })
  listen('keydown', handleKey)
  listen('input', handleInput)
  listen('paste', paste)
  receive?.(signal).then((code) => code && write(0, digitsIn(code)))

  function listen<Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ): void {
    field.addEventListener(type, listener, { signal })
  }

  function boxAt(target: EventTarget | null): HTMLInputElement | undefined {
    return boxes.find((box) => box === target)
  }

  function recordCompleteness(): void {
    wasComplete = isComplete(boxes)
  }

  /** Fills the boxes from `at` onwards. A whole code fills all boxes. */
  function write(at: number, digits: string): void {
    const { length } = boxes
    const from = digits.length >= length ? 0 : at
    const end = Math.min(from + digits.length, length)
    for (const [index, box] of boxes.slice(from, end).entries()) box.value = digits[index] ?? ''
    boxes[Math.min(end, length - 1)]?.focus()
    // While the user types a new code over a complete one, do not submit the form before the last digit.
    if (isComplete(boxes) && (end === length || !wasComplete)) submit(field)
  }

  /** Handles key presses itself, because a box that already has a digit would accept a second one. */
  function handleKey(event: KeyboardEvent): void {
    const box = boxAt(event.target)
    if (!box) return
    recordCompleteness()
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = boxes.indexOf(box)
    switch (key) {
      case 'ArrowLeft':
        boxes[at - 1]?.focus()
        break
      case 'ArrowRight':
        boxes[at + 1]?.focus()
        break
      case 'ArrowUp':
      case 'ArrowDown':
        break
      case 'Backspace':
        clearBox(box.value === '' ? boxes[at - 1] : box)
        break
      default:
        if (key.length > 1) return // let the browser handle Tab, Enter and Delete; phone keyboards often report no key
        if (digitsIn(key)) write(at, digitsIn(key))
    }
    event.preventDefault()
  }

  /** Handles input without a key press, from a phone's keyboard or from autofill. */
  function handleInput({ target }: Event): void {
    const box = boxAt(target)
    if (!box) return
    const digits = digitsIn(box.value)
    box.value = ''
    if (digits) write(boxes.indexOf(box), digits)
  }

  function paste(event: ClipboardEvent): void {
    const box = boxAt(event.target)
    if (!box) return
    event.preventDefault()
    recordCompleteness()
    const digits = digitsIn(event.clipboardData?.getData('text') ?? '')
    if (digits) write(boxes.indexOf(box), digits)
  }
}

/** Clears all boxes for a new code and focuses the first. */
export function clearCode(field: HTMLFieldSetElement | null): void {
  if (field) for (const box of boxesOf(field).toReversed()) clearBox(box)
}

const boxesOf = (field: HTMLFieldSetElement) => [...field.querySelectorAll('input')]

const isComplete = (boxes: readonly HTMLInputElement[]) => boxes.every(({ value }) => value !== '')

/** Submits the form with its main button, whose value a page of the account centre needs. */
function submit({ form }: HTMLFieldSetElement): void {
  form?.requestSubmit(form.querySelector<HTMLButtonElement>('button[type=submit]'))
}

/** The digits of any script. The code that reads the form converts them (`readCode`). */
const digitsIn = (text: string) => text.normalize('NFKC').replaceAll(/\P{Nd}/gu, '')

function clearBox(box: HTMLInputElement | undefined): void {
  if (!box) return
  box.value = ''
  box.focus()
}
