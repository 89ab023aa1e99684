import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * Files that are as they were said to be after a power cut. What another file counts on has to lie on the disk before that
 * file does: whatever is written here does when the call is over.
 */

type Write = (handle: number, bytes: Uint8Array, from: number, length: number, position: number) => number

/** Writes all of it, and answers how many bytes that were: one call of the system may write less than it was given. */
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

/** Whole or not at all: a rename is atomic, of a file that is on the disk. */
export function replaceDurably(file: string, text: string): void {
  const handle = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeDurably(handle, text, 0)
  } finally {
    closeSync(handle)
  }
  renameSync(`${file}.new`, file)
  syncFolderOf(file)
}

/** That a file is there at all, or under this name, is written in its folder. */
export function syncFolderOf(file: string): void {
  const folder = openSync(path.dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

export const remove = (file: string) => rmSync(file, { force: true })

/** 0 if there is none. */
export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
