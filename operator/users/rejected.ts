import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { CommandFailure } from '../failure.ts'
import { removeFile, sizeOf, syncFolderOf, writeDurably } from './durable.ts'

export type RejectedRecord = { line: number; code: string; reason: string; text: string }
export type RejectedFile = ReturnType<typeof openRejected>

/**
 * The refused lines, each unchanged and with the reason. Lines behind the last saved state of an interrupted import are cut off,
 * because they are sent again.
 */
export function openRejected(file: string, keep: number) {
  if (keep === 0) removeFile(file)
  if (sizeOf(file) < keep)
    throw new CommandFailure(
      `${file} has lost refused lines of the interrupted import: it has ${sizeOf(file)} bytes of ${keep}. Restore it, or delete the state of this import to start again: existing users stay unchanged.`,
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
    /** Answers the length of the file, which is on the disk by then. */
    append(rejections: readonly RejectedRecord[]): number {
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
