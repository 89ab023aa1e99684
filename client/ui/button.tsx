import { type ComponentProps, createContext, useContext } from 'react'
import { Spinner } from './loading.tsx'

type Kind = 'primary' | 'quiet' | 'danger'

/**
 * The value of the button that submitted the surrounding form, while the form's call is pending. It is '' for a
 * button without a value.
 */
export const PendingValueContext = createContext<string | null>(null)

/** A button that keeps its position, label and focus while its call is pending (spec/pages#feedback). */
export function Button({
  kind = 'primary',
  children,
  ...button
}: ComponentProps<'button'> & { kind?: Kind; value?: string }) {
  const isBusy = useContext(PendingValueContext) === (button.value ?? '')
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
