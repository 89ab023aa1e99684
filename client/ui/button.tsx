import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { CheckIcon } from './icons.tsx'
import { Spinner } from './loading.tsx'

type Kind = 'primary' | 'quiet' | 'danger'

/** The pending call of the surrounding form, or null. */
export const PendingContext = createContext<Pending | null>(null)

type Pending = {
  /** The value of the button that submitted the form, or '' for a button without a value. */
  value: string
  /** The text in place of the label, once the call takes very long. */
  text: ReactNode
  /** True if the user is signed in, and the browser is about to leave the page. */
  isDone: boolean | undefined
}

/** A button that keeps its position, label and focus while its call is pending (spec/pages#feedback). */
export function Button({
  kind = 'primary',
  children,
  ...button
}: ComponentProps<'button'> & { kind?: Kind; value?: string }) {
  const pending = useContext(PendingContext)
  const isBusy = pending?.value === (button.value ?? '')
  return (
    <button
      type="submit"
      {...button}
      className={`button button-${kind}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      // Keep the focus in the field. Otherwise, the field would be validated now, and its message might move the
      // button away from under the user's finger.
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className="button-label">{children}</span>
      {isBusy && (
        <span className="button-wait" aria-hidden="true">
          {pending.isDone && kind === 'primary' ? <CheckIcon /> : <Spinner />}
          {pending.text && <span>{pending.text}</span>}
        </span>
      )}
    </button>
  )
}

export function ButtonLink({ kind = 'primary', children, ...link }: ComponentProps<'a'> & { kind?: Kind }) {
  return (
    <a {...link} className={`button button-${kind}`}>
      <span className="button-label">{children}</span>
    </a>
  )
}
