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

/**
 * The form of one entity: read by GET, saved by PATCH of the fields that were changed, on the condition that nobody saved since
 * (spec/console#conflicts). Fields are compared and sent as wholes, but for those that are merged.
 */
export function useEntityForm<T extends Fields>(
  path: string,
  { merged = [], toPatch = (changes) => changes }: Options<T> = {},
): EntityForm<T> {
  const client = useQueryClient()
  const { data: answer, error } = useApi<T>(path)
  const draft = useDraft(path)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [conflict, setConflict] = useState<Conflict<T> | null>(null)
  const [isSaving, setSaving] = useState(false)
  const stored = answer?.data
  const changes = (draft?.changes ?? {}) as Partial<T>

  const show = (next: Answer<T>) => client.setQueryData([path], next)
  const forget = () => {
    setDraft(path, null)
    setProblem(null)
    setConflict(null)
  }

  function change(given: Partial<T>) {
    if (!stored) return
    const next = changesOf(stored, { ...changes, ...given }, merged)
    setDraft(path, { etag: draft?.etag ?? answer?.etag ?? null, changes: next })
    setProblem(null)
  }

  async function patch(body: Fields, etag: string | null): Promise<Answer<T>> {
    // It answers what a read answers. Reading again could find what somebody saved in between, and undo that, too.
    const saved = await call<T>(path, { method: 'PATCH', body, ifMatch: etag })
    show(saved)
    return saved
  }

  async function save(): ReturnType<EntityForm<T>['save']> {
    if (!stored) return null
    setSaving(true)
    try {
      const saved = await patch(toPatch(changes, stored), draft?.etag ?? answer.etag)
      forget()
      const before = beforeOf(stored, changes, merged)
      return { undo: async () => void (await patch(toPatch(before, saved.data), saved.etag)) }
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) throw failure
      if (failure.status === 412) await showConflict()
      else setProblem(failure)
      return null
    } finally {
      setSaving(false)
    }
  }

  async function showConflict() {
    const theirs = await call<T>(path)
    const fields = changedByBoth(changes, { base: stored ?? theirs.data, theirs: theirs.data, merged })
    setConflict({ theirs: theirs.data, fields })
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
      setConflict(null)
    },
    takeTheirs: forget,
  }
}
