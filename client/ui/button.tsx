import { type ComponentProps, createContext, useContext } from 'react'
import { Spinner } from './loading.tsx'

type Kind = 'primary' | 'quiet'

/** The value of the button by which the form around it was sent, while that is under way ('' for a button without one). */
export const PendingValue = createContext<string | null>(null)

/** Pending it keeps its place, its label and the focus (spec/pages#feedback). */
export function Button({
  kind = 'primary',
  children,
  ...button
}: ComponentProps<'button'> & { kind?: Kind; value?: string }) {
  const isBusy = useContext(PendingValue) === (button.value ?? '')
  return (
    <button
      type="submit"
      {...button}
      className={`button button-${kind}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      // Without this the field that loses the focus is validated now, and the button may move away under the finger.
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className="button-label">{children}</span>
      {isBusy && <Spinner />}
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
