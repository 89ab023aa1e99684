import type { Identifier } from '../../src/contract/interactions/identifiers.ts'

/**
 * A hidden field that tells password managers the username. Without it, they would save a password from a
 * password-only page without a username.
 */
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
