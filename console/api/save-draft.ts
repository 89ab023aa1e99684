import { applyChanges, invertChanges, omitPaths } from './changes.ts'
import type { ApiResponse } from './client.ts'
import { type Draft, getDraft, rebaseDraft, rebaseDraftFrom, setDraft } from './drafts.ts'
import { findConflicts } from './merge.ts'
import { type ApiProblem, toProblem } from './problem.ts'

type Fields = Record<string, unknown>

/**
 * The result of a save, or null if the API rejected it. `undo` reverts the save unless the entity has changed since.
 * It is absent if the save can't be undone.
 */
export type Saved = { undo?: () => Promise<void> } | null

/** The functions that read and change an entity. */
export type EntityAccess<T> = {
  read: (signal?: AbortSignal) => Promise<ApiResponse<T>>
  /** Saves the changes unless someone else has saved in the meantime. Returns the same response as a read. */
  write: (change: { changes: Partial<T>; stored: T; etag: string | null }) => Promise<ApiResponse<T>>
}

/**
 * The maximum number of merges per save. It is only exceeded if others save between the read and the write every time.
 */
const MAX_MERGES = 3

type Saving<T> = {
  merged: readonly (keyof T & string)[]
  secrets: readonly string[]
  access: EntityAccess<T>
  implied: (changes: Partial<T>, stored: T) => Partial<T>
  path: string
  current: () => ApiResponse<T> | undefined
  show: (now: ApiResponse<T>) => Promise<void>
  settle: (problem?: ApiProblem) => void
  /** Called if someone else has saved conflicting changes and the user has to choose. */
  onConflict: (theirs: ApiResponse<T>) => void
}

/** Saves the draft of an entity, merging it with what others have saved in the meantime. */
export async function saveDraft<T extends Fields>(
  saving: Saving<T>,
  mergesLeft = MAX_MERGES,
): Promise<Saved> {
  const { path, merged, access, implied, current, show, settle } = saving
  const now = current()
  const draft = getDraft(path)
  if (!now || !draft) return null
  const write = async (changes: Partial<T>, stored: T, etag: string | null) => {
    // Don't read the entity again: someone may have saved in between, and the undo would revert their changes too.
    const saved = await access.write({ changes, stored, etag })
    await show(saved)
    return saved
  }
  const sent = implied(draftChanges<T>(draft), now.data)
  try {
    const saved = await write(sent, now.data, draft.etag)
    const later = getDraft(path)
    // Text typed while the save was in progress is still unsaved.
    if (later)
      setDraft(path, rebaseDraft({ ...later, base: applyChanges(now.data, sent, merged), lost: [] }, saved))
    settle()
    const undone = invertChanges(now.data, sent, merged)
    const undo = async () => rebaseDraftFrom(path, saved.etag, await write(undone, saved.data, saved.etag))
    return { undo }
  } catch (failure) {
    const refusal = toProblem(failure)
    if (refusal.status === 412 && mergesLeft > 0) return await mergeDraft(saving, mergesLeft, refusal)
    settle(refusal)
    return null
  }
}

/**
 * Merges the draft with the version that someone else has saved. If both changed the same place, the user has to
 * choose; otherwise the save continues with the current version. The console can't tell whether the other person has
 * replaced a secret, so a draft with a secret isn't saved again without the user's consent.
 */
async function mergeDraft<T extends Fields>(
  saving: Saving<T>,
  mergesLeft: number,
  refusal: ApiProblem,
): Promise<Saved> {
  const { path, secrets, access, show, settle, onConflict } = saving
  try {
    const theirs = await access.read()
    await show(theirs)
    const mine = getDraft(path)
    if (!mine || findDraftConflicts(mine, theirs).length > 0) {
      onConflict(theirs)
      return null
    }
    const next = rebaseDraft(mine, theirs)
    setDraft(path, next)
    if (omitPaths(next.changes, secrets).removed.length > 0) {
      settle(refusal)
      return null
    }
    if (Object.keys(next.changes).length > 0) return await saveDraft(saving, mergesLeft - 1)
    settle()
    return {}
  } catch (failure) {
    settle(toProblem(failure))
    return null
  }
}

export const findDraftConflicts = (
  { changes, base = {}, merged }: Draft,
  { data: theirs }: ApiResponse<Fields>,
) => findConflicts(changes, { base, theirs }, merged)

export const draftChanges = <T>(draft: Draft | undefined) => (draft?.changes ?? {}) as Partial<T>
