import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, call } from './client.ts'
import { setDraft, useDraft } from './drafts.ts'
import { ApiProblem } from './problem.ts'
import { useApi } from './queries.ts'

type Fields = Record<string, unknown>

/** The body that makes these changes of what is stored, for fields that the API merges. */
type ToPatch<T> = (changes: Partial<T>, stored: T) => Fields

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
 * (spec/console#conflicts). Top-level fields are compared and sent as wholes.
 */
export function useEntityForm<T extends Fields>(
  path: string,
  { toPatch = (changes) => changes }: { toPatch?: ToPatch<T> } = {},
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
    const next = Object.fromEntries(
      Object.entries({ ...changes, ...given }).filter(([name, value]) => !isSame(stored[name], value)),
    )
    setDraft(path, { etag: draft?.etag ?? answer?.etag ?? null, changes: next })
    setProblem(null)
  }

  async function patch(body: Fields, etag: string | null): Promise<Answer<T>> {
    const saved = await call<T>(path, { method: 'PATCH', body, ifMatch: etag })
    // The answer of a change may be shorter than that of a read.
    const read = await call<T>(path)
    show({ ...read, etag: read.etag ?? saved.etag })
    return read
  }

  async function save(): ReturnType<EntityForm<T>['save']> {
    if (!stored) return null
    setSaving(true)
    try {
      const saved = await patch(toPatch(changes, stored), draft?.etag ?? answer.etag)
      forget()
      const before = pick(stored, Object.keys(changes))
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
    const base = stored ?? theirs.data
    const fields = Object.keys(changes).filter(
      (name) => !isSame(theirs.data[name], base[name]) && !isSame(theirs.data[name], changes[name]),
    )
    setConflict({ theirs: theirs.data, fields })
    show(theirs)
  }

  return {
    value: stored && { ...stored, ...changes },
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

const pick = <T extends Fields>(from: T, names: readonly string[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null])) as Partial<T>

/** JSON values; an absent one is the same as null. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
