import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beforeOf, changedByBoth, changesOf, mergedValues } from './changes.ts'
import { type Answer, call } from './client.ts'
import { setDraft, useDraft } from './drafts.ts'
import { ApiProblem } from './problem.ts'
import { useApi } from './queries.ts'

type Fields = Record<string, unknown>

type Options<T> = {
  /** Fields whose keys a PATCH merges: each key is a change of its own, and null removes one. */
  merged?: readonly (keyof T & string)[]
  /** The body that makes these changes of what is stored, where it is not they themselves. */
  toPatch?: (changes: Partial<T>, stored: T) => Fields
  /** Of an entity that is not read by GET of its path and written by PATCH. */
  access?: EntityAccess<T>
}

export type EntityAccess<T> = {
  read: (signal?: AbortSignal) => Promise<Answer<T>>
  /** Makes the changes, unless somebody has saved since; answers what a read would. */
  write: (change: { changes: Partial<T>; stored: T; etag: string | null }) => Promise<Answer<T>>
}

/** What somebody else saved while the user changed the same entity. */
export type Conflict<T> = {
  theirs: T
  /** The fields that both changed to different values. */
  fields: readonly string[]
}

export type EntityForm<T> = {
  /** Undefined until it is loaded: the entity with the changes that are not saved. */
  value: T | undefined
  stored: T | undefined
  failure: Error | null
  change: (changes: Partial<T>) => void
  isChanged: boolean
  isSaving: boolean
  problem: ApiProblem | null
  conflict: Conflict<T> | null
  /** Null if it was refused; else what takes the save back, unless the entity changes meanwhile. */
  save: () => Promise<{ undo: () => Promise<void> } | null>
  discard: () => void
  /** After a conflict: keeps one's own changes on top of what was saved meanwhile. The user saves them then. */
  keepMine: () => void
  takeTheirs: () => void
}

/** What became of the last save. */
type Outcome<T> = { problem: ApiProblem | null; conflict: Conflict<T> | null }

const NOTHING = { problem: null, conflict: null }

/**
 * The form of one entity: read by GET, saved by PATCH of the fields that were changed, on the condition that nobody saved since
 * (spec/console#conflicts). Fields are compared and sent as wholes, but for those that are merged.
 */
export function useEntityForm<T extends Fields>(
  path: string,
  { merged = [], toPatch = (changes) => changes, access = patched<T>(path, toPatch) }: Options<T> = {},
): EntityForm<T> {
  const client = useQueryClient()
  const { data: answer, error } = useApi<T>(path, { read: access.read })
  const draft = useDraft(path)
  // A form may go on to another entity.
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome<T>>>>({})
  const { problem, conflict } = outcomes[path] ?? NOTHING
  const [isSaving, setSaving] = useState(false)
  const stored = answer?.data
  const changes = (draft?.changes ?? {}) as Partial<T>

  const show = (next: Answer<T>) => client.setQueryData([path], next)
  const end = (outcome: Partial<Outcome<T>> = {}) =>
    setOutcomes((before) => ({ ...before, [path]: { ...NOTHING, ...outcome } }))
  const forget = () => {
    setDraft(path, null)
    end()
  }

  function change(given: Partial<T>) {
    if (!stored) return
    const next = changesOf(stored, { ...changes, ...given }, merged)
    setDraft(path, { etag: draft ? draft.etag : (answer?.etag ?? null), changes: next })
    if (problem) end()
  }

  async function write(given: Partial<T>, from: T, etag: string | null): Promise<Answer<T>> {
    // Reading again could find what somebody saved in between, and undo that, too.
    const saved = await access.write({ changes: given, stored: from, etag })
    show(saved)
    return saved
  }

  async function save(): ReturnType<EntityForm<T>['save']> {
    if (!stored) return null
    setSaving(true)
    try {
      const saved = await write(changes, stored, draft ? draft.etag : answer.etag)
      forget()
      const before = beforeOf(stored, changes, merged)
      return { undo: async () => void (await write(before, saved.data, saved.etag)) }
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) throw failure
      if (failure.status === 412) await showConflict()
      else end({ problem: failure })
      return null
    } finally {
      setSaving(false)
    }
  }

  async function showConflict() {
    const theirs = await access.read()
    const fields = changedByBoth(changes, { base: stored ?? theirs.data, theirs: theirs.data, merged })
    end({ conflict: { theirs: theirs.data, fields } })
    show(theirs)
  }

  return {
    value: stored && { ...stored, ...changes, ...mergedValues(stored, changes, merged) },
    stored,
    failure: error,
    change,
    isChanged: Object.keys(changes).length > 0,
    isSaving,
    problem,
    conflict,
    save,
    discard: forget,
    keepMine: () => {
      setDraft(path, { etag: answer?.etag ?? null, changes })
      end()
    },
    takeTheirs: forget,
  }
}

const patched = <T>(path: string, toPatch: (changes: Partial<T>, stored: T) => Fields): EntityAccess<T> => ({
  read: (signal) => call<T>(path, signal && { signal }),
  write: ({ changes, stored, etag }) =>
    call<T>(path, { method: 'PATCH', body: toPatch(changes, stored), ifMatch: etag }),
})
