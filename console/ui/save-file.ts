import { MINUTE } from '../../src/contract/time.ts'

/** Downloads a file. */
export function saveFile(name: string, parts: readonly string[], type: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Revoke the URL later, because browsers don't read the blob until after the click.
  setTimeout(() => URL.revokeObjectURL(address), MINUTE)
}

/** Returns a file name with the user's local date, such as `users-2026-05-17.csv`. */
export const datedFileName = (name: string, extension: string, at = new Date()): string =>
  `${name}-${at.toLocaleDateString('sv')}.${extension}`
