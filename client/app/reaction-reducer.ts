import type { ReactNode } from 'react'
import type { PageNotice } from '../../src/contract/boot.ts'
import type { FormValues, Reaction } from '../journeys/reactions.ts'

/** What the dispatcher shows. It belongs to a page, and most of it ends with the page. */
export type ReactionState = {
  path: string
  /** The journey under way. */
  running: JourneyRun | null
  toast: { message: string; turn: number } | null
  dialog: OpenDialog | null
  /** Why the interaction can only start again (spec/pages#start-again). It stays on every page after this one. */
  ended: string | null
  /** Where the user was sent, when the browser has not left: an app of the device opens beside this page, or does not open. */
  externalRedirect: string | null
}

export type JourneyRun = { intent: string; turn: number }

export type OpenDialog =
  | Extract<Reaction, { kind: 'alert' }>
  /** `form` is what its yes sends; null for a dialog of the server's, whose yes is a form that the browser posts. */
  | (Extract<Reaction, { kind: 'confirm' }> & { form: FormValues | null })
  | ({ kind: 'question' } & DialogQuestion)

export type DialogQuestion = { message: ReactNode; yes: string; answer: (yes: boolean) => void }

export type ReactionAction =
  | { kind: 'started'; run: JourneyRun }
  | { kind: 'reacted'; run: JourneyRun; reaction: Reaction; form: FormValues }
  /** The page that a reaction named is loaded and shown. */
  | { kind: 'arrived'; run: JourneyRun; message: string | undefined }
  /** The path is another one. */
  | { kind: 'moved'; path: string }
  /** The browser has not left, or is back. `url` is where it was sent, if the page is to show that. */
  | { kind: 'stayed'; url: string | null }
  /** Null ends the toast. */
  | { kind: 'toast'; message: string | null }
  | { kind: 'asked'; question: DialogQuestion }
  /** The dialog was closed, by its yes or otherwise. */
  | { kind: 'answered'; yes: boolean }

export type ReactionEffect =
  | ({ run: JourneyRun } & Extract<Reaction, { kind: 'goTo' }>)
  | Extract<Reaction, { kind: 'leave' }>
  | { kind: 'back'; pages: number }
  | { kind: 'run'; intent: string; form: FormValues }
  | { kind: 'answer'; answer: DialogQuestion['answer']; yes: boolean }

export type ReactionChange = { state: ReactionState; effects: readonly ReactionEffect[] }

/** Before anything happens: the server may have rendered a dialog open. */
export function initialState(path: string, notice: PageNotice | null): ReactionState {
  const dialog: OpenDialog | null =
    notice?.kind === 'alert' ? notice : notice?.kind === 'confirm' ? { ...notice, form: null } : null
  return { path, running: null, toast: null, dialog, ended: null, externalRedirect: null }
}

/** What was under way and asked on one page ends with it; a toast and the end of the interaction do not. */
export const onPath = (state: ReactionState, path: string): ReactionState =>
  state.path === path ? state : { ...state, path, running: null, dialog: null, externalRedirect: null }

/** What an action changes, and what is to be done about it outside. */
export function reduceReactions(state: ReactionState, action: ReactionAction): ReactionChange {
  switch (action.kind) {
    case 'started':
      return stateAlone({ ...state, running: action.run })
    case 'reacted':
      return react(state, action)
    case 'arrived':
      return stateAlone(arrived(state, action))
    case 'moved':
      return replacingDialog(state, onPath(state, action.path))
    case 'stayed':
      return stateAlone({ ...state, running: null, externalRedirect: action.url })
    case 'toast':
      return stateAlone(withToast(state, action.message))
    case 'asked':
      return replacingDialog(state, { ...state, dialog: { kind: 'question', ...action.question } })
    case 'answered':
      return answered(state, action.yes)
  }
}

/** A navigation ends with its page; what it has to say is shown on the next. */
function arrived(
  state: ReactionState,
  { run, message }: Extract<ReactionAction, { kind: 'arrived' }>,
): ReactionState {
  const done = isCurrent(state, run) ? { ...state, running: null } : state
  return message === undefined ? done : withToast(done, message)
}

function react(
  state: ReactionState,
  { run, reaction, form }: Extract<ReactionAction, { kind: 'reacted' }>,
): ReactionChange {
  // Out of the experience even if the user has gone to another page meanwhile: the interaction is finished.
  if (reaction.kind === 'leave') return { state, effects: [reaction] }
  if (!isCurrent(state, run)) return stateAlone(state)

  const done = { ...state, running: null }
  switch (reaction.kind) {
    case 'goTo':
      return { state, effects: [{ ...reaction, run }] }
    case 'inline':
      return stateAlone(done)
    case 'toast':
      return stateAlone(withToast(done, reaction.message))
    case 'alert':
      return replacingDialog(state, { ...done, dialog: reaction })
    case 'confirm':
      return replacingDialog(state, { ...done, dialog: { ...reaction, form } })
    case 'restart':
      return stateAlone({ ...done, ended: reaction.message })
  }
}

/** A dialog is closed by its buttons. A confirmation without a form is left to the browser. */
function answered(state: ReactionState, yes: boolean): ReactionChange {
  const { dialog } = state
  const closed = { ...state, dialog: null }
  switch (dialog?.kind) {
    case 'question':
      return { state: closed, effects: [{ kind: 'answer', answer: dialog.answer, yes }] }
    case 'confirm':
      if (!yes) return { state: closed, effects: backBy(dialog.back) }
      if (!dialog.form) return stateAlone(state)
      return { state: closed, effects: [{ kind: 'run', intent: dialog.intent, form: dialog.form }] }
    case 'alert':
      return { state: closed, effects: backBy(dialog.back) }
    case undefined:
      return stateAlone(state)
  }
}

/** One dialog at a time: the one before it is closed without an answer (spec/pages#dialogs). */
function replacingDialog({ dialog }: ReactionState, next: ReactionState): ReactionChange {
  const isOpen = dialog?.kind === 'question' && next.dialog !== dialog
  return { state: next, effects: isOpen ? [{ kind: 'answer', answer: dialog.answer, yes: false }] : [] }
}

const backBy = (pages: number): ReactionEffect[] => (pages > 0 ? [{ kind: 'back', pages }] : [])

const stateAlone = (state: ReactionState): ReactionChange => ({ state, effects: [] })

/** Whether this journey is the one under way, and not one of a page that was left. */
export const isCurrent = ({ running }: ReactionState, { turn }: JourneyRun) => running?.turn === turn

const withToast = (state: ReactionState, message: string | null): ReactionState => ({
  ...state,
  toast: message === null ? null : { message, turn: (state.toast?.turn ?? 0) + 1 },
})
