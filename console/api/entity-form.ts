import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { applyChanges, diffFields, invertChanges, omitPaths } from './changes.ts'
import { type ApiResponse, call } from './client.ts'
import { type Draft, getDraft, rebaseDraft, rebaseDraftFrom, setDraft, useDraft } from './drafts.ts'
import { type Conflict, findConflicts, resolveConflicts } from './merge.ts'
import { type ApiProblem, toProblem } from './problem.ts'
import { useApi } from './queries.ts'

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

/**
 * The result of a save, or null if the API rejected it. `undo` reverts the save unless the entity has changed since.
 * It is absent if the save can't be undone.
 */
type Saved = { undo?: () => Promise<void> } | null

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

/**
 * The maximum number of merges per save. It is only exceeded if others save between the read and the write every time.
 */
const MAX_MERGES = 3

type Saving<T> = Required<Pick<Options<T>, 'merged' | 'secrets' | 'access' | 'implied'>> & {
  path: string
  current: () => ApiResponse<T> | undefined
  show: (now: ApiResponse<T>) => Promise<void>
  settle: (problem?: ApiProblem) => void
  /** Called if someone else has saved conflicting changes and the user has to choose. */
  onConflict: (theirs: ApiResponse<T>) => void
}

/** Saves the draft of an entity, merging it with what others have saved in the meantime. */
async function saveDraft<T extends Fields>(saving: Saving<T>, mergesLeft = MAX_MERGES): Promise<Saved> {
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

const findDraftConflicts = ({ changes, base = {}, merged }: Draft, { data: theirs }: ApiResponse<Fields>) =>
  findConflicts(changes, { base, theirs }, merged)

const draftChanges = <T>(draft: Draft | undefined) => (draft?.changes ?? {}) as Partial<T>

/** The functions that read and change an entity. */
export type EntityAccess<T> = {
  read: (signal?: AbortSignal) => Promise<ApiResponse<T>>
  /** Saves the changes unless someone else has saved in the meantime. Returns the same response as a read. */
  write: (change: { changes: Partial<T>; stored: T; etag: string | null }) => Promise<ApiResponse<T>>
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
