/** Between the call that made a secret and the page that shows it: in no address and in no storage of the browser. */
let made: { id: string; secret: string } | null = null

export function keepSecret(id: string, secret: string): void {
  made = { id, secret }
}

/** The secret of an application that was made just now. Only the first caller gets it. */
export function takeSecret(id: string): string | null {
  const secret = made?.id === id ? made.secret : null
  made = null
  return secret
}
