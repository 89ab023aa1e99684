import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'

export type Rejection = { line: number; code: string; reason: string; text: string }
export type RejectedFile = ReturnType<typeof openRejected>

/**
 * The lines that were refused, each as it was written and with the reason. What an interrupted import wrote after it
 * last remembered how far it was is cut off: those lines come again.
 */
export function openRejected(file: string, keep: number) {
  if (keep === 0) rmSync(file, { force: true })
  let handle: number | undefined
  let bytes = keep

  function open(): number {
    const opened = openSync(file, 'a', 0o600) // the lines may hold passwords
    ftruncateSync(opened, keep)
    return opened
  }

  return {
    /** Answers how long the file is now. */
    append(rejections: readonly Rejection[]): number {
      if (rejections.length === 0) return bytes
      handle ??= open()
      bytes += writeSync(handle, rejections.map((rejection) => `${JSON.stringify(rejection)}\n`).join(''))
      return bytes
    },
    close(): void {
      if (handle !== undefined) closeSync(handle)
    },
  }
}
