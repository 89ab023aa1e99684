/** Tells the password manager whose password this is: a page that asks for it alone would be saved without a name. */
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
