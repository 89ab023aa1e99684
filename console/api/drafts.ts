import { useSyncExternalStore } from 'react'

/**
 * Changes that are not saved yet, by the path of their entity. They survive a reload and a sign-in, in this browser session; they
 * hold no secrets, because forms of secrets do not use them.
 */
export type Draft = {
  /** The tag of the entity that was changed; a save with it fails if somebody else saved meanwhile. */
  etag: string | null
  /** The fields that were changed, as a PATCH sends them. */
  changes: Readonly<Record<string, unknown>>
}

const PREFIX = 'console-draft:'

/** The headers of a webhook may be credentials of its receiver: its changes stay in this page (spec/console#drafts). */
const isStored = (path: string) => !path.startsWith('/hooks/')

const listeners = new Set<() => void>()
let all: ReadonlyMap<string, Draft> = readStored()

function readStored(): ReadonlyMap<string, Draft> {
  const stored = Object.entries(window.sessionStorage).filter(([key]) => key.startsWith(PREFIX))
  return new Map(stored.map(([key, value]) => [key.slice(PREFIX.length), JSON.parse(String(value)) as Draft]))
}

export function setDraft(path: string, draft: Draft | null): void {
  const next = new Map(all)
  if (draft && Object.keys(draft.changes).length > 0) {
    next.set(path, draft)
    if (isStored(path)) window.sessionStorage.setItem(PREFIX + path, JSON.stringify(draft))
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
export const useDrafts = (): ReadonlyMap<string, Draft> => useSyncExternalStore(subscribe, () => all)

export const useDraft = (path: string): Draft | undefined => useDrafts().get(path)
