import type { EnteredIdentifier } from '../../src/contract/interactions/interaction.ts'

/**
 * A hidden field that tells password managers the username. Without it, they would save a password from a
 * password-only page without a username.
 */
export function UsernameHint({ type, value, account }: Partial<EnteredIdentifier> & { value: string }) {
  // The page does not know the username of a remembered account.
  if (account) return null
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
