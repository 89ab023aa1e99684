import { MINUTE } from '../../src/contract/time.ts'

/** Hands a file to the browser, which saves it where the user wants it. */
export function saveFile(name: string, parts: readonly string[], type: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(address), MINUTE)
}

/** `users-2026-05-17.csv`, by the clock of the user. */
export const datedFileName = (name: string, extension: string, at = new Date()): string =>
  `${name}-${at.toLocaleDateString('sv')}.${extension}`
