import { useSyncExternalStore } from 'react'
import { keptForUser } from '../session/kept-for-user.ts'
import { withoutPaths } from './changes.ts'

/** Changes that are not saved yet, by the path of their entity. They survive a reload and a sign-in of their user, in this tab. */
export type Draft = {
  /** The tag of the entity that was changed; a save with it fails if somebody else saved meanwhile. */
  etag: string | null
  /** The fields that were changed, as a PATCH sends them. */
  changes: Readonly<Record<string, unknown>>
  /** What the same fields were before. */
  base?: Readonly<Record<string, unknown>>
  /**
   * Fields that may hold secrets, by their name, or by that of a merged field and the key (`config.headers`). They stay in this page
   * (spec/console#drafts).
   */
  secrets?: readonly string[]
  /** Those that were changed before a reload, and have to be typed again. */
  lost?: readonly string[]
}

const PREFIX = keptForUser.drafts

const listeners = new Set<() => void>()
/** Read when they are first asked for: until the user has come, they may be somebody else's. */
let all: ReadonlyMap<string, Draft> | undefined
const drafts = () => {
  all ??= readStored()
  return all
}

function readStored(): ReadonlyMap<string, Draft> {
  const stored = Object.entries(window.sessionStorage).filter(([key]) => key.startsWith(PREFIX))
  return new Map(stored.map(([key, value]) => [key.slice(PREFIX.length), JSON.parse(String(value)) as Draft]))
}

/** What is kept in the tab: without secrets, whose names alone are noted. */
function kept({ etag, changes, base = {}, secrets = [], lost = [] }: Draft): Draft {
  const { rest, found } = withoutPaths(changes, secrets)
  return { etag, changes: rest, base: withoutPaths(base, secrets).rest, lost: [...lost, ...found] }
}

export function setDraft(path: string, draft: Draft | null): void {
  const next = new Map(drafts())
  if (draft && (Object.keys(draft.changes).length > 0 || draft.lost?.length)) {
    next.set(path, draft)
    window.sessionStorage.setItem(PREFIX + path, JSON.stringify(kept(draft)))
  } else {
    next.delete(path)
    window.sessionStorage.removeItem(PREFIX + path)
  }
  all = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** All of them: for the plan of the page "As code". */
export const useDrafts = (): ReadonlyMap<string, Draft> => useSyncExternalStore(subscribe, drafts)

export const useDraft = (path: string): Draft | undefined => useDrafts().get(path)
