/** Tells password managers the username of a password: on a page that asks for the password alone they would save it without one. */
export function UsernameHint({ name }: { name: string }) {
  return (
    <input
      className="visually-hidden"
      type="text"
      autoComplete="username"
      value={name}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
