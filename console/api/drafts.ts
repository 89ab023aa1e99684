import { userStoragePrefixes } from '../session/kept-for-user.ts'
import { createStore } from '../store.ts'
import { omitPaths } from './changes.ts'
import type { ApiResponse } from './client.ts'
import { rebaseChanges } from './merge.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The unsaved changes to an entity. This tab stores them by the entity's path, so that they survive a reload and a
 * sign-in of the same user.
 */
export type Draft = {
  /**
   * The ETag of the entity when it was changed. Saving with this ETag fails if someone else has saved in the meantime.
   */
  etag: string | null
  /** The changed fields. Fields that aren't merged are stored whole. */
  changes: Fields
  /**
   * The fields that are merged key by key. For these, `changes` has only the changed keys, with null for a removed
   * key.
   */
  merged?: readonly string[]
  /** The values of the changed fields before the change. */
  base?: Fields
  /**
   * The fields that may hold secrets: the name of a field, or the name of a merged field and a key (`config.headers`).
   * Their values never leave this page (spec/console#drafts).
   */
  secrets?: readonly string[]
  /** The secret fields that were changed before a reload and have to be typed in again. */
  lost?: readonly string[]
}

const PREFIX = userStoragePrefixes.drafts

/** These drafts may belong to another user until the session has started. */
const drafts = createStore(readStoredDrafts)

function readStoredDrafts(): ReadonlyMap<string, Draft> {
  const stored = Object.entries(window.sessionStorage).filter(([key]) => key.startsWith(PREFIX))
  return new Map(stored.map(([key, value]) => [key.slice(PREFIX.length), JSON.parse(String(value)) as Draft]))
}

/**
 * Returns the part of the draft that is stored in the tab. Instead of secrets, it contains the names of their fields.
 */
function omitSecrets({ changes, base = {}, secrets = [], lost = [], ...draft }: Draft): Draft {
  const { rest, removed } = omitPaths(changes, secrets)
  return { ...draft, changes: rest, base: omitPaths(base, secrets).rest, lost: [...lost, ...removed] }
}

export function setDraft(path: string, draft: Draft | null): void {
  const next = new Map(drafts.get())
  if (draft && (Object.keys(draft.changes).length > 0 || draft.lost?.length)) {
    next.set(path, draft)
    window.sessionStorage.setItem(PREFIX + path, JSON.stringify(omitSecrets(draft)))
  } else {
    next.delete(path)
    window.sessionStorage.removeItem(PREFIX + path)
  }
  drafts.set(next)
}

export const getDraft = (path: string): Draft | undefined => drafts.get().get(path)

/**
 * Rebases a draft onto the current entity. If someone else has changed the same fields, the draft's values win.
 */
export function rebaseDraft(
  { changes, base = {}, merged = [], ...draft }: Draft,
  current: ApiResponse<Fields>,
): Draft {
  return {
    ...draft,
    ...rebaseChanges(changes, { base, theirs: current.data }, merged),
    merged,
    etag: current.etag,
  }
}

/**
 * Rebases the draft after the user has changed the entity outside its form. Does nothing unless the draft is based on
 * `baseEtag`, because otherwise someone else has changed the entity.
 */
export function rebaseDraftFrom(path: string, baseEtag: string | null, current: ApiResponse<Fields>): void {
  const draft = getDraft(path)
  if (draft?.etag === baseEtag) setDraft(path, rebaseDraft(draft, current))
}

/** All drafts, for the plan on the page "Settings as code". */
export const useDrafts = drafts.use

export const useDraft = (path: string): Draft | undefined => useDrafts().get(path)
