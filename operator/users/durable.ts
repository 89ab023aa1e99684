import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes files so that they survive a power failure. A file must be on the disk before another one that depends on it
 * is written, so the data is on the disk when a call returns.
 */

type Write = (handle: number, bytes: Uint8Array, from: number, length: number, position: number) => number

/** Writes the whole text and returns its length in bytes. A single system call may write only part of it. */
export function writeDurably(
  handle: number,
  text: string,
  position: number,
  write: Write = writeSync,
): number {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; )
    written += write(handle, bytes, written, bytes.length - written, position + written)
  fsyncSync(handle)
  return bytes.length
}

/** Replaces a file atomically: writes the new file to the disk, then renames it. */
export function replaceDurably(file: string, text: string): void {
  const handle = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeDurably(handle, text, 0)
  } finally {
    closeSync(handle)
  }
  renameSync(`${file}.new`, file)
  syncParentFolder(file)
}

/** Syncs the folder of a file, because the folder stores the existence and the name of the file. */
export function syncParentFolder(file: string): void {
  const folder = openSync(path.dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

export const removeFile = (file: string) => rmSync(file, { force: true })

/** Returns the size of a file in bytes, or 0 if it does not exist. */
export const getFileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
