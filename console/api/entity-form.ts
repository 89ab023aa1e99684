import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { applyChanges, diffFields, invertChanges, omitPaths } from './changes.ts'
import { type ApiResponse, call } from './client.ts'
import { getDraft, rebaseDraft, setDraft, useDraft } from './drafts.ts'
import { type Conflict, resolveConflicts } from './merge.ts'
import type { ApiProblem } from './problem.ts'
import { useApi } from './queries.ts'
import { draftChanges, type EntityAccess, findDraftConflicts, type Saved, saveDraft } from './save-draft.ts'

type Fields = Record<string, unknown>

type Options<T> = {
  /** The fields that a PATCH merges key by key. Null removes a key. */
  merged?: readonly (keyof T & string)[]
  /** Builds the body of the PATCH. By default, the body is the changes. */
  toPatch?: (changes: Partial<T>, stored: T) => Fields
  /** The functions that read and write the entity. The default is GET and PATCH of its path. */
  access?: EntityAccess<T>
  /** Returns the changes, plus any further changes that have to be saved with them. */
  implied?: (changes: Partial<T>, stored: T) => Partial<T>
  /** The fields that may hold secrets, named as in a draft. Their values don't survive a reload. */
  secrets?: readonly string[]
}

export type EntityForm<T> = {
  /** The entity with the unsaved changes, or undefined until it is loaded. */
  value: T | undefined
  stored: T | undefined
  failure: Error | null
  /** Reads the entity again. */
  retry: () => void
  /**
   * Changes the entity. Pass a function to compute the changes from the form's current value, for changes that become
   * known asynchronously.
   */
  change: (changes: Partial<T> | ((value: T) => Partial<T>)) => void
  isChanged: boolean
  /** The secrets that were typed in before a reload and have to be typed in again. */
  lost: readonly string[]
  /**
   * The texts that the user has typed but that can't be parsed, by field. They are only kept in this page, and nothing
   * can be saved until all of them are valid.
   */
  unread: Readonly<Record<string, string>>
  setUnread: (field: string, text: string | null) => void
  isSaving: boolean
  problem: ApiProblem | null
  /**
   * The conflicts that caused the last save to be rejected: the fields that someone else has changed to other values.
   */
  conflicts: readonly FormConflict[]
  /**
   * Resolves conflicts in favour of one side. Once all are resolved, the user's changes are based on the version that
   * the other person saved, and can be saved.
   */
  choose: (whose: 'mine' | 'theirs', conflicts: readonly Conflict[]) => void
  save: () => Promise<Saved>
  discard: () => void
  /** A number that changes with each discard, used as the key of components that have state of their own. */
  version: number
}

export type FormConflict = Conflict & { path: string; isSecret: boolean }

/** The transient state of the form of one entity, kept while the page is open. */
type FormState<T> = {
  /** The error of the last save. */
  problem: ApiProblem | null
  /** The version that someone else has saved, if that caused the last save to be rejected. */
  theirs: ApiResponse<T> | null
  unread: Readonly<Record<string, string>>
  version: number
}

const INITIAL_STATE = { problem: null, theirs: null, unread: {}, version: 0 }

/**
 * Manages the form of one entity, which is read by GET and saved by a PATCH of the changed fields. The PATCH only
 * succeeds if nobody else has saved in the meantime (spec/console#conflicts). Fields that aren't merged are sent
 * whole.
 */
export function useEntityForm<T extends Fields>(
  path: string,
  {
    merged = [],
    toPatch = (changes) => changes,
    access = patchAccess<T>(path, toPatch),
    implied = (changes) => changes,
    secrets = [],
  }: Options<T> = {},
): EntityForm<T> {
  const client = useQueryClient()
  const { data: answer, error, refetch } = useApi<T>(path, { read: access.read })
  const draft = useDraft(path)
  // A mounted form can be switched to another entity.
  const [all, setAll] = useState<Readonly<Record<string, FormState<T>>>>({})
  const { problem, theirs, unread, version } = all[path] ?? INITIAL_STATE
  const [isSaving, setSaving] = useState(false)
  const isBusy = useRef(false)
  const stored = answer?.data
  const changes = draftChanges<T>(draft)

  const updateState = (next: (before: FormState<T>) => Partial<FormState<T>>) =>
    setAll((before) => {
      const state = before[path] ?? INITIAL_STATE
      return { ...before, [path]: { ...state, ...next(state) } }
    })
  const settle = (problem: ApiProblem | null = null) => updateState(() => ({ problem, theirs: null }))
  const discard = () => {
    setDraft(path, null)
    updateState((before) => ({ ...INITIAL_STATE, version: before.version + 1 }))
  }

  /** Returns the latest entity. It may be newer than the one in the last render. */
  const current = () => client.getQueryData<ApiResponse<T>>([path])

  function change(next: Partial<T> | ((value: T) => Partial<T>)) {
    const now = current()
    if (!now) return
    const before = getDraft(path)
    const unsaved = draftChanges<T>(before)
    const more = typeof next === 'function' ? next(applyChanges(now.data, unsaved, merged)) : next
    const changes = diffFields(now.data, { ...unsaved, ...more }, merged)
    // The form shows what another person has saved as soon as it is read, but the user's changes remain based on the
    // first version.
    const base = invertChanges(applyChanges<Fields>(now.data, before?.base ?? {}, merged), changes, merged)
    const lost = (before?.lost ?? []).filter((field) => omitPaths(changes, [field]).removed.length === 0)
    const etag = before ? before.etag : now.etag
    setDraft(path, { etag, changes, merged, base, secrets, lost })
    updateState((state) => (state.problem ? { problem: null } : {}))
  }

  async function save(): Promise<Saved> {
    if (isBusy.current || Object.keys(unread).length > 0) return null
    isBusy.current = true
    setSaving(true)
    try {
      return await saveDraft<T>({
        path,
        merged,
        secrets,
        access,
        implied,
        current,
        // An earlier read that is still in progress, for example because the window received focus, must not restore
        // the old entity.
        async show(now) {
          await client.cancelQueries({ queryKey: [path], exact: true })
          client.setQueryData([path], now)
        },
        settle,
        onConflict: (theirs) => updateState(() => ({ problem: null, theirs })),
      })
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }

  function choose(whose: 'mine' | 'theirs', conflicts: readonly Conflict[]) {
    const before = getDraft(path)
    if (!before || !theirs) return
    const mine = { ...before, ...resolveConflicts(before.changes, before.base ?? {}, { conflicts, whose }) }
    const isSettled = findDraftConflicts(mine, theirs).length === 0
    setDraft(path, isSettled ? rebaseDraft(mine, theirs) : mine)
    if (isSettled) settle()
    if (whose === 'theirs') updateState(({ version }) => ({ version: version + 1 }))
  }

  const toFormConflict = (conflict: Conflict): FormConflict => {
    const at = conflict.keys.join('.')
    const overlaps = (field: string) => `${at}.`.startsWith(`${field}.`) || field.startsWith(`${at}.`)
    return { ...conflict, path: at, isSecret: secrets.some(overlaps) }
  }

  return {
    value: stored && applyChanges(stored, changes, merged),
    stored,
    failure: error,
    retry: () => void refetch(),
    change,
    isChanged: Object.keys(changes).length > 0,
    lost: draft?.lost ?? [],
    unread,
    setUnread: (field, text) =>
      updateState((before) => {
        const { [field]: _, ...others } = before.unread
        return { unread: text === null ? others : { ...others, [field]: text } }
      }),
    isSaving,
    problem,
    conflicts: draft && theirs ? findDraftConflicts(draft, theirs).map(toFormConflict) : [],
    choose,
    save,
    discard,
    version,
  }
}

/** Reads an entity by GET of its path and changes it by PATCH, conditional on its ETag. */
const patchAccess = <T>(
  path: string,
  toPatch: (changes: Partial<T>, stored: T) => Record<string, unknown>,
): EntityAccess<T> => ({
  read: (signal) => call<T>(path, signal && { signal }),
  write: ({ changes, stored, etag }) =>
    call<T>(path, { method: 'PATCH', body: toPatch(changes, stored), ifMatch: etag }),
})
