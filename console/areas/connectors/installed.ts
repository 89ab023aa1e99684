/** Between the call that installed a connector and its page, which checks the credentials at once. */
let installed: string | null = null

export function noteInstalled(id: string): void {
  installed = id
}

/** Whether the connector was installed just now. Only the first caller is told. */
export function takeInstalled(id: string): boolean {
  const isIt = installed === id
  installed = null
  return isIt
}
