import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { remove, sizeOf, syncFolderOf, writeDurably } from './durable.ts'

export type Rejection = { line: number; code: string; reason: string; text: string }
export type RejectedFile = ReturnType<typeof openRejected>

/**
 * The lines that were refused, each as it was written and with the reason. What an interrupted import wrote after it
 * last remembered how far it was is cut off: those lines come again.
 */
export function openRejected(file: string, keep: number) {
  if (keep === 0) remove(file)
  if (sizeOf(file) < keep)
    throw new Failure(
      `${file} has lost lines that were refused before the interruption: it has ${sizeOf(file)} bytes of ${keep}. Put it back, or remove the state of this import to begin again: users who are there already stay as they are.`,
    )
  let handle: number | undefined
  let bytes = keep

  function open(): number {
    const opened = openSync(file, keep === 0 ? 'w' : 'r+', 0o600) // the lines may hold passwords
    ftruncateSync(opened, keep)
    syncFolderOf(file)
    return opened
  }

  return {
    /** Answers how long the file is now, and on the disk. */
    append(rejections: readonly Rejection[]): number {
      if (rejections.length === 0) return bytes
      handle ??= open()
      bytes += writeDurably(
        handle,
        rejections.map((rejection) => `${JSON.stringify(rejection)}\n`).join(''),
        bytes,
      )
      return bytes
    },
    close(): void {
      if (handle !== undefined) closeSync(handle)
    },
  }
}
