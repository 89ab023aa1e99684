import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { applyChanges, diffFields, invertChanges, omitPaths } from './changes.ts'
import { type Answer, call } from './client.ts'
import { type Draft, getDraft, rebaseDraft, rebaseDraftFrom, setDraft, useDraft } from './drafts.ts'
import { type Conflict, findConflicts, resolveConflicts } from './merge.ts'
import { type ApiProblem, toProblem } from './problem.ts'
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

/** Null if it was refused; else what takes the save back, unless the entity changes meanwhile, where that is possible. */
type Saved = { undo?: () => Promise<void> } | null

export type EntityForm<T> = {
  /** Undefined until it is loaded: the entity with the changes that are not saved. */
  value: T | undefined
  stored: T | undefined
  failure: Error | null
  /** Reads the entity again. */
  retry: () => void
  /** A function is given what the form holds by then: for what is known only after a while. */
  change: (changes: Partial<T> | ((value: T) => Partial<T>)) => void
  isChanged: boolean
  /** Secrets that were typed before a reload, and have to be typed again. */
  lost: readonly string[]
  /** Texts that were typed and cannot be read, by the field that they stand for. They stay in this page, and nothing is saved meanwhile. */
  unread: Readonly<Record<string, string>>
  setUnread: (field: string, text: string | null) => void
  isSaving: boolean
  problem: ApiProblem | null
  /** The places that somebody else has changed, too, to other values, which is why the last save was refused. */
  conflicts: readonly FormConflict[]
  /** Chooses a value for such places. With the last of them, one's own changes are on top of what was saved meanwhile, to be saved. */
  choose: (whose: 'mine' | 'theirs', conflicts: readonly Conflict[]) => void
  save: () => Promise<Saved>
  discard: () => void
  /** Another one after each discard: the key of parts that hold more than the form does. */
  version: number
}

export type FormConflict = Conflict & { path: string; isSecret: boolean }

/** Of one entity, as long as the page is there. */
type FormState<T> = {
  /** Of the last save. */
  problem: ApiProblem | null
  /** What somebody else has saved, where that is why the last save was refused. */
  theirs: Answer<T> | null
  unread: Readonly<Record<string, string>>
  version: number
}

const INITIAL_STATE = { problem: null, theirs: null, unread: {}, version: 0 }

/**
 * The form of one entity: read by GET, saved by PATCH of the fields that were changed, on the condition that nobody saved since
 * (spec/console#conflicts). Fields are sent as wholes, but for those that are merged.
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
  // A form may go on to another entity.
  const [all, setAll] = useState<Readonly<Record<string, FormState<T>>>>({})
  const { problem, theirs, unread, version } = all[path] ?? INITIAL_STATE
  const [isSaving, setSaving] = useState(false)
  const isBusy = useRef(false)
  const stored = answer?.data
  const changes = draftChanges<T>(draft)

  const updateState = (next: (before: FormState<T>) => Partial<FormState<T>>) =>
    setAll((before) => {
      const passing = before[path] ?? INITIAL_STATE
      return { ...before, [path]: { ...passing, ...next(passing) } }
    })
  const settle = (problem: ApiProblem | null = null) => updateState(() => ({ problem, theirs: null }))
  const discard = () => {
    setDraft(path, null)
    updateState((before) => ({ ...INITIAL_STATE, version: before.version + 1 }))
  }

  /** As it is by now, which a render may be behind. */
  const current = () => client.getQueryData<Answer<T>>([path])

  function change(next: Partial<T> | ((value: T) => Partial<T>)) {
    const now = current()
    if (!now) return
    const before = getDraft(path)
    const unsaved = draftChanges<T>(before)
    const more = typeof next === 'function' ? next(applyChanges(now.data, unsaved, merged)) : next
    const changes = diffFields(now.data, { ...unsaved, ...more }, merged)
    // What somebody else has saved meanwhile is shown when it has been read, but the changes are still those of what was there first.
    const base = invertChanges(applyChanges<Fields>(now.data, before?.base ?? {}, merged), changes, merged)
    const lost = (before?.lost ?? []).filter((field) => omitPaths(changes, [field]).removed.length === 0)
    const etag = before ? before.etag : now.etag
    setDraft(path, { etag, changes, merged, base, secrets, lost })
    updateState((passing) => (passing.problem ? { problem: null } : {}))
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
        // A read that began before, as when the window gets the focus, must not put the old one back.
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

/** Of one save. Others would have to save each time in the moment between a read and a write. */
const MAX_MERGES = 3

type Saving<T> = Required<Pick<Options<T>, 'merged' | 'secrets' | 'access' | 'implied'>> & {
  path: string
  current: () => Answer<T> | undefined
  show: (now: Answer<T>) => Promise<void>
  settle: (problem?: ApiProblem) => void
  /** Somebody else has saved, and the user has to choose. */
  onConflict: (theirs: Answer<T>) => void
}

/** Saves the draft of an entity, on top of what others have saved meanwhile. */
async function saveDraft<T extends Fields>(saving: Saving<T>, mergesLeft = MAX_MERGES): Promise<Saved> {
  const { path, merged, access, implied, current, show, settle } = saving
  const now = current()
  const draft = getDraft(path)
  if (!now || !draft) return null
  const write = async (changes: Partial<T>, stored: T, etag: string | null) => {
    // Reading again could find what somebody saved in between, and undo that, too.
    const saved = await access.write({ changes, stored, etag })
    await show(saved)
    return saved
  }
  const sent = implied(draftChanges<T>(draft), now.data)
  try {
    const saved = await write(sent, now.data, draft.etag)
    const later = getDraft(path)
    // What was typed while it ran is not saved yet.
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
 * Somebody else has saved. Where both changed the same, the user chooses; else the save goes on with what is there now. Whether the
 * other one has replaced a secret, nobody can tell: with one of one's own, the user is told, and saves again.
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

const findDraftConflicts = ({ changes, base = {}, merged }: Draft, { data: theirs }: Answer<Fields>) =>
  findConflicts(changes, { base, theirs }, merged)

const draftChanges = <T>(draft: Draft | undefined) => (draft?.changes ?? {}) as Partial<T>

/** How an entity is read and changed. */
export type EntityAccess<T> = {
  read: (signal?: AbortSignal) => Promise<Answer<T>>
  /** Makes the changes, unless somebody has saved since; answers what a read would. */
  write: (change: { changes: Partial<T>; stored: T; etag: string | null }) => Promise<Answer<T>>
}

/** Read by GET of its path, changed by PATCH, on the condition of its tag. */
const patchAccess = <T>(
  path: string,
  toPatch: (changes: Partial<T>, stored: T) => Record<string, unknown>,
): EntityAccess<T> => ({
  read: (signal) => call<T>(path, signal && { signal }),
  write: ({ changes, stored, etag }) =>
    call<T>(path, { method: 'PATCH', body: toPatch(changes, stored), ifMatch: etag }),
})
