import type { Identifier } from '../../src/contract/interactions/identifiers.ts'

/** Tells password managers the username. On a page with only a password, they would save it without one. */
export function UsernameHint({ type, value }: Pick<Identifier, 'value'> & Partial<Identifier>) {
  return (
    <input
      className="visually-hidden"
      type="text"
      autoComplete="username"
      value={type === 'phone' ? `+${value}` : value}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
