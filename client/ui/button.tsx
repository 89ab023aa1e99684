import type { ComponentProps } from 'react'
import { Spinner } from './loading.tsx'

type Kind = 'primary' | 'quiet'

export function Button({
  kind = 'primary',
  isBusy = false,
  children,
  ...button
}: ComponentProps<'button'> & { kind?: Kind; isBusy?: boolean }) {
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
