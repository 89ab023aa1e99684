import type { ReactNode } from 'react'
import type { PageNotice } from '../../src/contract/interactions/boot.ts'
import type { MessageTone } from '../../src/contract/interactions/interaction.ts'
import type { FormValues, PlacedReaction } from './reactions.ts'

/** The state that the dispatcher shows. It belongs to one page, and most of it is discarded with that page. */
export type ReactionState = {
  path: string
  /** The journey that is running, or null if none is. */
  running: JourneyRun | null
  /** The error message above the page's main form, shown until the next attempt (spec/pages#feedback). */
  problem: PageProblem | null
  /**
   * A confirmation of what was just done, or an error that is also shown above the form (`isRepeated`). Only one
   * of the two is announced.
   */
  toast: { message: string; turn: number; isRepeated: boolean } | null
  dialog: OpenDialog | null
  /**
   * The reason why the interaction can only be restarted (spec/pages#start-again). It is shown on every page from
   * then on.
   */
  ended: string | null
  /**
   * The URL to which the browser was redirected without leaving this page, because either an app on the device or
   * nothing opened the URL.
   */
  externalRedirect: string | null
}

export type JourneyRun = {
  intent: string
  turn: number
  /** Runs the journey again with the same values. */
  repeat: () => void
  /** True if a form started the journey, so that messages can be shown next to its fields. */
  hasFields: boolean
  /** True if the user is signed in, and the browser is about to leave the page. */
  isDone?: boolean
}

/**
 * A message above the form. `repeat` is set if the failure may be temporary, and `tone` if the message is no error.
 */
type PageProblem = { message: string; tone?: MessageTone | undefined; repeat?: () => void }

export type OpenDialog =
  | Extract<PlacedReaction, { kind: 'alert' }>
  /**
   * `form` contains the values that are sent if the user confirms. It is null if the server rendered the dialog,
   * in which case the browser posts the dialog's own form.
   */
  | (Extract<PlacedReaction, { kind: 'confirm' }> & { form: FormValues | null })
  | ({ kind: 'question' } & DialogQuestion)

export type DialogQuestion = { message: ReactNode; yes: string; answer: (yes: boolean) => void }

export type ReactionAction =
  | { kind: 'started'; run: JourneyRun }
  | { kind: 'reacted'; run: JourneyRun; reaction: PlacedReaction; form: FormValues }
  /**
   * The page that a reaction goes to has been loaded and shown, with a confirmation of what was done or an error
   * message.
   */
  | {
      kind: 'arrived'
      run: JourneyRun
      path: string
      done?: string | undefined
      problem?: string | undefined
      tone?: MessageTone | undefined
      hasToast?: boolean | undefined
    }
  /** The path has changed. */
  | { kind: 'moved'; path: string }
  /**
   * The browser remained on the page after a redirect, or came back to it. `url` is the redirect's URL if the page is
   * to show a link to it.
   */
  | { kind: 'stayed'; url: string | null }
  | { kind: 'toastEnded' }
  /** The interaction can only be restarted. */
  | { kind: 'ended'; message: string }
  /**
   * A message from an app around the page, or null to remove the current message because a form has validation
   * errors.
   */
  | { kind: 'problem'; problem: PageProblem | null }
  | { kind: 'asked'; question: DialogQuestion }
  /** The dialog was closed, with or without confirmation. */
  | { kind: 'answered'; yes: boolean }

export type ReactionEffect =
  | ({ run: JourneyRun } & Extract<PlacedReaction, { kind: 'goTo' }>)
  | Extract<PlacedReaction, { kind: 'leave' }>
  /** `message` says why the interaction starts again if there is nothing to go back to. */
  | { kind: 'back'; to: number | string; message: string }
  | { kind: 'run'; intent: string; form: FormValues }
  | { kind: 'answer'; answer: DialogQuestion['answer']; yes: boolean }

type ReactionChange = { state: ReactionState; effects: readonly ReactionEffect[] }

/** Returns the initial state. It contains a dialog if the server rendered an open one. */
export function createInitialState(path: string, notice: PageNotice | null): ReactionState {
  const dialog: OpenDialog | null =
    notice?.kind === 'alert' ? notice : notice?.kind === 'confirm' ? { ...notice, form: null } : null
  const problem =
    notice?.kind === 'inline' && notice.field === null ? { message: notice.message, tone: notice.tone } : null
  return { path, running: null, problem, toast: null, dialog, ended: null, externalRedirect: null }
}

/**
 * Returns the state for a path. If the path has changed, the running journey, the dialog and the messages are
 * dropped, but a toast and the end of the interaction are kept.
 */
export const stateOnPath = (state: ReactionState, path: string): ReactionState =>
  state.path === path
    ? state
    : { ...state, path, running: null, problem: null, dialog: null, externalRedirect: null }

/** Returns the next state after an action, and the effects to perform outside the state. */
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
    case 'ended':
      return withoutEffects({ ...state, ended: action.message })
    case 'problem':
      return withoutEffects({ ...state, problem: action.problem })
    case 'asked':
      return replaceDialog(state, { ...state, dialog: { kind: 'question', ...action.question } })
    case 'answered':
      return answered(state, action.yes)
  }
}

/** Ends a navigation and shows its messages on the new page. */
function arrived(
  state: ReactionState,
  { run, path, done, problem, tone, hasToast = false }: Extract<ReactionAction, { kind: 'arrived' }>,
): ReactionChange {
  const message = hasToast ? problem : done
  const there = stateOnPath(isCurrentRun(state, run) ? { ...state, running: null } : state, path)
  return replaceDialog(state, {
    ...there,
    problem: problem === undefined ? there.problem : { message: problem, tone },
    toast: message === undefined ? there.toast : nextToast(there, message, hasToast),
  })
}

const nextToast = ({ toast }: ReactionState, message: string, isRepeated: boolean) => ({
  message,
  turn: (toast?.turn ?? 0) + 1,
  isRepeated,
})

function react(
  state: ReactionState,
  { run, reaction, form }: Extract<ReactionAction, { kind: 'reacted' }>,
): ReactionChange {
  // The browser is redirected even if the user has gone to another page in the meantime, because the interaction is
  // complete.
  if (reaction.kind === 'leave') {
    // Our own pages, whose URLs are relative, and social providers are only the next step.
    const isOver = reaction.connectorId === undefined && !reaction.url.startsWith('/')
    const isDone = isOver && form.decision !== 'deny'
    const running = state.running && { ...state.running, isDone }
    return { state: { ...state, running }, effects: [reaction] }
  }
  if (!isCurrentRun(state, run)) return withoutEffects(state)

  const done = { ...state, running: null }
  switch (reaction.kind) {
    case 'goTo':
      return { state, effects: [{ ...reaction, run }] }
    case 'inline':
      return withoutEffects({
        ...done,
        // A form shows messages next to its fields itself.
        problem: reaction.field === null ? problemOf(reaction, run) : null,
        toast: reaction.hasToast ? nextToast(state, reaction.message, true) : state.toast,
      })
    case 'alert':
      return replaceDialog(state, { ...done, dialog: reaction })
    case 'confirm':
      return replaceDialog(state, { ...done, dialog: { ...reaction, form } })
    case 'restart':
      return withoutEffects({ ...done, ended: reaction.message })
  }
}

const problemOf = (
  { message, tone, canRepeat }: Extract<PlacedReaction, { kind: 'inline' }>,
  { repeat }: JourneyRun,
): PageProblem => ({ message, tone, ...(canRepeat && { repeat }) })

/**
 * Closes a dialog after the user's answer. If the server rendered the dialog, the browser posts the dialog's form
 * instead.
 */
function answered(state: ReactionState, yes: boolean): ReactionChange {
  const { dialog } = state
  const closed = { ...state, dialog: null }
  switch (dialog?.kind) {
    case 'question':
      return { state: closed, effects: [{ kind: 'answer', answer: dialog.answer, yes }] }
    case 'confirm':
      if (!yes) return { state: closed, effects: goBackEffects(dialog) }
      if (!dialog.form) return withoutEffects(state)
      return { state: closed, effects: [{ kind: 'run', intent: dialog.intent, form: dialog.form }] }
    case 'alert':
      return { state: closed, effects: goBackEffects(dialog) }
    case undefined:
      return withoutEffects(state)
  }
}

/**
 * Replaces the open dialog, because only one can be open at a time. The previous one is closed as declined
 * (spec/pages#dialogs).
 */
function replaceDialog({ dialog }: ReactionState, next: ReactionState): ReactionChange {
  const isOpen = dialog?.kind === 'question' && next.dialog !== dialog
  return { state: next, effects: isOpen ? [{ kind: 'answer', answer: dialog.answer, yes: false }] : [] }
}

const goBackEffects = ({ back, message }: { back: number | string; message: string }): ReactionEffect[] =>
  back === 0 ? [] : [{ kind: 'back', to: back, message }]

const withoutEffects = (state: ReactionState): ReactionChange => ({ state, effects: [] })

/** Checks whether a journey is still running. A journey that was started on a page that the user has left is not. */
export const isCurrentRun = ({ running }: ReactionState, { turn }: JourneyRun) => running?.turn === turn
