import type { Identifier } from '../../src/contract/interactions/identifiers.ts'

/**
 * Tells password managers the username, because they would otherwise save the password from a page that asks only
 * for a password without one.
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
