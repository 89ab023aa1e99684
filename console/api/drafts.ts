import { userStoragePrefixes } from '../session/kept-for-user.ts'
import { createStore } from '../store.ts'
import { omitPaths } from './changes.ts'
import type { Answer } from './client.ts'
import { rebaseChanges } from './merge.ts'

type Fields = Readonly<Record<string, unknown>>

/** Changes that are not saved yet, by the path of their entity. They survive a reload and a sign-in of their user, in this tab. */
export type Draft = {
  /** The tag of the entity that was changed; a save with it fails if somebody else saved meanwhile. */
  etag: string | null
  /** The fields that were changed: as wholes, but for those that are merged. */
  changes: Fields
  /** Fields of which `changes` has the keys that were changed, null for one that is removed. */
  merged?: readonly string[]
  /** What the same fields were before. */
  base?: Fields
  /**
   * Fields that may hold secrets, by their name, or by that of a merged field and the key (`config.headers`). They stay in this page
   * (spec/console#drafts).
   */
  secrets?: readonly string[]
  /** Those that were changed before a reload, and have to be typed again. */
  lost?: readonly string[]
}

const PREFIX = userStoragePrefixes.drafts

/** Until the user has come, they may be somebody else's. */
const drafts = createStore(readStoredDrafts)

function readStoredDrafts(): ReadonlyMap<string, Draft> {
  const stored = Object.entries(window.sessionStorage).filter(([key]) => key.startsWith(PREFIX))
  return new Map(stored.map(([key, value]) => [key.slice(PREFIX.length), JSON.parse(String(value)) as Draft]))
}

/** What is kept in the tab: without secrets, whose names alone are noted. */
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

/** The same changes of what the entity is now. Where somebody else has changed the same, they are still made. */
export function rebaseDraft(
  { changes, base = {}, merged = [], ...draft }: Draft,
  current: Answer<Fields>,
): Draft {
  return {
    ...draft,
    ...rebaseChanges(changes, { base, theirs: current.data }, merged),
    merged,
    etag: current.etag,
  }
}

/** After one's own change of an entity beside its form: nobody else has changed what was at `from`. */
export function rebaseDraftFrom(path: string, baseEtag: string | null, current: Answer<Fields>): void {
  const draft = getDraft(path)
  if (draft?.etag === baseEtag) setDraft(path, rebaseDraft(draft, current))
}

/** All of them: for the plan of the page "As code". */
export const useDrafts = drafts.use

export const useDraft = (path: string): Draft | undefined => useDrafts().get(path)
