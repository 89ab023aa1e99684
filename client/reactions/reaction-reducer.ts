import type { ReactNode } from 'react'
import type { PageNotice } from '../../src/contract/interactions/boot.ts'
import type { FormValues, InlineMessage, Reaction } from './reactions.ts'

/** What the dispatcher shows. It belongs to a page, and most of it ends with that page. */
export type ReactionState = {
  path: string
  /** The journey that is running. */
  running: JourneyRun | null
  /** What went wrong, shown above the main form of the page until the next attempt (spec/pages#feedback). */
  problem: PageProblem | null
  /** A confirmation of what was done. */
  toast: { message: string; turn: number } | null
  dialog: OpenDialog | null
  /** Why the interaction can only start again (spec/pages#start-again). It stays on every page from then on. */
  ended: string | null
  /**
   * The URL to which the browser was sent but has not left: an app on the device opens it beside this page, or nothing
   * does.
   */
  externalRedirect: string | null
}

export type JourneyRun = {
  intent: string
  turn: number
  /** Runs the journey once more with the same values. */
  repeat: () => void
  /** Whether the journey belongs to a form, which shows messages at its fields. */
  hasFields: boolean
}

/** A message above the form, with `repeat` if the failure may be temporary. */
type PageProblem = { message: string; repeat?: () => void }

export type OpenDialog =
  | Extract<Reaction, { kind: 'alert' }>
  /**
   * `form` is what the answer yes sends. It is null if the server opened the dialog; the browser then posts the form of
   * the dialog.
   */
  | (Extract<Reaction, { kind: 'confirm' }> & { form: FormValues | null })
  | ({ kind: 'question' } & DialogQuestion)

export type DialogQuestion = { message: ReactNode; yes: string; answer: (yes: boolean) => void }

export type ReactionAction =
  | { kind: 'started'; run: JourneyRun }
  | { kind: 'reacted'; run: JourneyRun; reaction: Reaction; form: FormValues }
  /**
   * The page that a reaction named is loaded and shown, with a confirmation of what was done or a message about what
   * went wrong.
   */
  | {
      kind: 'arrived'
      run: JourneyRun
      path: string
      done?: string | undefined
      problem?: string | undefined
    }
  /** The path has changed. */
  | { kind: 'moved'; path: string }
  /** The browser has not left, or has come back. `url` is where it was sent, if the page is to show that. */
  | { kind: 'stayed'; url: string | null }
  | { kind: 'toastEnded' }
  /**
   * An app around the page sends a message. Null removes the message, because a form was sent that has problems of its
   * own.
   */
  | { kind: 'problem'; problem: PageProblem | null }
  | { kind: 'asked'; question: DialogQuestion }
  /** The dialog was closed, by its confirming button or otherwise. */
  | { kind: 'answered'; yes: boolean }

export type ReactionEffect =
  | ({ run: JourneyRun } & Extract<Reaction, { kind: 'goTo' }>)
  | Extract<Reaction, { kind: 'leave' }>
  | { kind: 'back'; pages: number }
  | { kind: 'run'; intent: string; form: FormValues }
  | { kind: 'answer'; answer: DialogQuestion['answer']; yes: boolean }

type ReactionChange = { state: ReactionState; effects: readonly ReactionEffect[] }

/** Returns the state before anything happens. The server may have rendered an open dialog. */
export function initialState(path: string, notice: PageNotice | null): ReactionState {
  const dialog: OpenDialog | null =
    notice?.kind === 'alert' ? notice : notice?.kind === 'confirm' ? { ...notice, form: null } : null
  const problem = notice?.kind === 'inline' && notice.field === null ? { message: notice.message } : null
  return { path, running: null, problem, toast: null, dialog, ended: null, externalRedirect: null }
}

/** Drops what was running, asked and rejected on another page. A toast and the end of the interaction stay. */
export const stateOnPath = (state: ReactionState, path: string): ReactionState =>
  state.path === path
    ? state
    : { ...state, path, running: null, problem: null, dialog: null, externalRedirect: null }

/** Returns what an action changes, and which effects it has outside the state. */
export function reduceReactions(state: ReactionState, action: ReactionAction): ReactionChange {
  switch (action.kind) {
    case 'started':
      return withoutEffects({ ...state, running: action.run, problem: null })
    case 'reacted':
      return react(state, action)
    case 'arrived':
      return arrived(state, action)
    case 'moved':
      return replaceDialog(state, stateOnPath(state, action.path))
    case 'stayed':
      return withoutEffects({ ...state, running: null, externalRedirect: action.url })
    case 'toastEnded':
      return withoutEffects({ ...state, toast: null })
    case 'problem':
      return withoutEffects({ ...state, problem: action.problem })
    case 'asked':
      return replaceDialog(state, { ...state, dialog: { kind: 'question', ...action.question } })
    case 'answered':
      return answered(state, action.yes)
  }
}

/** Ends a navigation, whose messages are shown on the new page. */
function arrived(
  state: ReactionState,
  { run, path, done, problem }: Extract<ReactionAction, { kind: 'arrived' }>,
): ReactionChange {
  const there = stateOnPath(isCurrentRun(state, run) ? { ...state, running: null } : state, path)
  return replaceDialog(state, {
    ...there,
    problem: problem === undefined ? there.problem : { message: problem },
    toast: done === undefined ? there.toast : { message: done, turn: (there.toast?.turn ?? 0) + 1 },
  })
}

function react(
  state: ReactionState,
  { run, reaction, form }: Extract<ReactionAction, { kind: 'reacted' }>,
): ReactionChange {
  // The browser leaves even if the user has gone to another page in the meantime, because the interaction is finished.
  if (reaction.kind === 'leave') return { state, effects: [reaction] }
  if (!isCurrentRun(state, run)) return withoutEffects(state)

  const done = { ...state, running: null }
  switch (reaction.kind) {
    case 'goTo':
      return { state, effects: [{ ...reaction, run }] }
    case 'inline':
      return withoutEffects({ ...done, problem: problemOf(reaction, run) })
    case 'alert':
      return replaceDialog(state, { ...done, dialog: reaction })
    case 'confirm':
      return replaceDialog(state, { ...done, dialog: { ...reaction, form } })
    case 'restart':
      return withoutEffects({ ...done, ended: reaction.message })
  }
}

/** Returns the message for the place above the form. A message at a field is left to its form. */
function problemOf(
  { field, message, canRepeat }: InlineMessage,
  { hasFields, repeat }: JourneyRun,
): PageProblem | null {
  if (field !== null && hasFields) return null
  return canRepeat ? { message, repeat } : { message }
}

/** Closes a dialog by one of its buttons. A confirmation without a form is left to the browser. */
function answered(state: ReactionState, yes: boolean): ReactionChange {
  const { dialog } = state
  const closed = { ...state, dialog: null }
  switch (dialog?.kind) {
    case 'question':
      return { state: closed, effects: [{ kind: 'answer', answer: dialog.answer, yes }] }
    case 'confirm':
      if (!yes) return { state: closed, effects: goBackEffects(dialog.back) }
      if (!dialog.form) return withoutEffects(state)
      return { state: closed, effects: [{ kind: 'run', intent: dialog.intent, form: dialog.form }] }
    case 'alert':
      return { state: closed, effects: goBackEffects(dialog.back) }
    case undefined:
      return withoutEffects(state)
  }
}

/** Allows one dialog at a time: the previous one is closed without an answer (spec/pages#dialogs). */
function replaceDialog({ dialog }: ReactionState, next: ReactionState): ReactionChange {
  const isOpen = dialog?.kind === 'question' && next.dialog !== dialog
  return { state: next, effects: isOpen ? [{ kind: 'answer', answer: dialog.answer, yes: false }] : [] }
}

const goBackEffects = (pages: number): ReactionEffect[] => (pages > 0 ? [{ kind: 'back', pages }] : [])

const withoutEffects = (state: ReactionState): ReactionChange => ({ state, effects: [] })

/** Checks whether a journey is the one that is running, rather than one of a page that was left. */
export const isCurrentRun = ({ running }: ReactionState, { turn }: JourneyRun) => running?.turn === turn
