import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beforeOf, changedByBoth, changesOf, withFields, withoutPaths } from './changes.ts'
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
  /** What else these changes change, when they are saved. */
  implied?: (changes: Partial<T>, stored: T) => Partial<T>
  /** Fields that may hold secrets, as a draft names them: they survive no reload. */
  secrets?: readonly string[]
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
  /** Secrets that were typed before a reload, and have to be typed again. */
  lost: readonly string[]
  isSaving: boolean
  problem: ApiProblem | null
  conflict: Conflict<T> | null
  /** Null if it was refused; else what takes the save back, unless the entity changes meanwhile, where that is possible. */
  save: () => Promise<{ undo?: () => Promise<void> } | null>
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
  {
    merged = [],
    toPatch = (changes) => changes,
    access = patched<T>(path, toPatch),
    implied = (changes) => changes,
    secrets = [],
  }: Options<T> = {},
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
    // What somebody else has saved meanwhile is shown when it has been read, but the changes are still those of what was there first.
    const base = withFields(beforeOf(stored, next, merged), draft?.base ?? {}, merged)
    const lost = (draft?.lost ?? []).filter((field) => withoutPaths(next, [field]).found.length === 0)
    const etag = draft ? draft.etag : (answer?.etag ?? null)
    setDraft(path, { etag, changes: next, base, secrets, lost })
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
    const all = implied(changes, stored)
    try {
      const saved = await write(all, stored, draft ? draft.etag : answer.etag)
      forget()
      const before = beforeOf(stored, all, merged)
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
    const base = withFields(stored ?? theirs.data, draft?.base ?? {}, merged)
    const fields = changedByBoth(changes, { base, theirs: theirs.data, merged })
    end({ conflict: { theirs: theirs.data, fields } })
    show(theirs)
  }

  return {
    value: stored && withFields(stored, changes, merged),
    stored,
    failure: error,
    change,
    isChanged: Object.keys(changes).length > 0,
    lost: draft?.lost ?? [],
    isSaving,
    problem,
    conflict,
    save,
    discard: forget,
    keepMine: () => {
      const base = stored && beforeOf(stored, changes, merged)
      setDraft(path, { etag: answer?.etag ?? null, changes, ...(base && { base }), secrets })
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
