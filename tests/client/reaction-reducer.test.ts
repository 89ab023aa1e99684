import { describe, expect, it } from 'vitest'
import {
  createInitialState,
  type DialogQuestion,
  type JourneyRun,
  type ReactionAction,
  type ReactionState,
  reduceReactions,
  stateOnPath,
} from '../../client/reactions/reaction-reducer.ts'
import type { Reaction } from '../../client/reactions/reactions.ts'

const idle = createInitialState('/sign-in', null)
const repeat = () => {}
const run: JourneyRun = { intent: 'send', turn: 1, repeat, hasFields: true }
/** The flow that the confirm button of a dialog runs. */
const dialogRun: JourneyRun = { ...run, hasFields: false }
const running: ReactionState = { ...idle, running: run }
const form = { identifier: 'ada' }

const alert = { kind: 'alert', message: 'Taken.', back: 1 } as const
const confirm = {
  kind: 'confirm',
  message: 'Create one?',
  yes: 'Create',
  intent: 'register',
  back: 1,
} as const
const question: DialogQuestion = { message: 'Agree?', yes: 'Agree', answer: () => {} }
const asking: ReactionState = { ...idle, dialog: { kind: 'question', ...question } }

const reacted = (reaction: Reaction, mine = run): ReactionAction => ({
  kind: 'reacted',
  run: mine,
  reaction,
  form,
})

type Row = {
  title: string
  state: ReactionState
  action: ReactionAction
  next?: Partial<ReactionState>
  effects?: object[]
}

const rows: Row[] = [
  {
    title: 'a new journey removes the message of the last one',
    state: { ...idle, problem: { message: 'No.' } },
    action: { kind: 'started', run },
    next: { running: run, problem: null },
  },
  {
    title: 'a form with problems of its own also removes the message',
    state: { ...idle, problem: { message: 'No.' } },
    action: { kind: 'problem', problem: null },
    next: { problem: null },
  },

  {
    title: 'a message at a field is left to the form',
    state: running,
    action: reacted({ kind: 'inline', field: 'password', message: 'No.' }),
    next: { running: null },
  },
  {
    title: 'a message without a field stays above the form',
    state: running,
    action: reacted({ kind: 'inline', field: null, message: 'No.' }),
    next: { running: null, problem: { message: 'No.' } },
  },
  {
    title: 'a message at a field also stays there after a dialog, which has no form to show it',
    state: { ...running, running: dialogRun },
    action: reacted({ kind: 'inline', field: 'passcode', message: 'No.' }, dialogRun),
    next: { running: null, problem: { message: 'No.' } },
  },
  {
    title: 'a call that may succeed the next time can be repeated',
    state: running,
    action: reacted({ kind: 'inline', field: null, message: 'Offline.', canRepeat: true }),
    next: { running: null, problem: { message: 'Offline.', repeat } },
  },
  {
    title: 'an app around the page reports a problem',
    state: idle,
    action: { kind: 'problem', problem: { message: 'No.' } },
    next: { problem: { message: 'No.' } },
  },
  {
    title: 'an alert opens a dialog',
    state: running,
    action: reacted(alert),
    next: { running: null, dialog: alert },
  },
  {
    title: 'a confirmation opens a dialog with the form',
    state: running,
    action: reacted(confirm),
    next: { running: null, dialog: { ...confirm, form } },
  },
  {
    title: 'the end of the interaction is stored',
    state: running,
    action: reacted({ kind: 'restart', message: 'Over.' }),
    next: { running: null, ended: 'Over.' },
  },
  {
    title: 'another page is loaded while the journey is still running',
    state: running,
    action: reacted({ kind: 'goTo', path: '/register' }),
    effects: [{ kind: 'goTo', path: '/register', run }],
  },
  {
    title: 'another document is opened while the journey is still running',
    state: running,
    action: reacted({ kind: 'leave', url: '/oidc/auth/uid' }),
    effects: [{ kind: 'leave', url: '/oidc/auth/uid' }],
  },
  {
    title: 'the reaction of another page that was left is ignored',
    state: { ...running, running: { ...run, turn: 2 } },
    action: reacted(alert),
  },
  { title: 'a reaction is ignored after the page was left', state: idle, action: reacted(alert) },
  {
    title: 'a finished interaction is left from any page',
    state: idle,
    action: reacted({ kind: 'leave', url: '/oidc/auth/uid' }),
    effects: [{ kind: 'leave', url: '/oidc/auth/uid' }],
  },

  {
    title: 'the next page ends the journey',
    state: running,
    action: { kind: 'arrived', run, path: '/register' },
    next: { path: '/register', running: null },
  },
  {
    title: 'the same page once more ends the journey, too',
    state: running,
    action: { kind: 'arrived', run, path: '/sign-in' },
    next: { running: null },
  },
  {
    title: 'the next page confirms what was done in a toast',
    state: running,
    action: { kind: 'arrived', run, path: '/register', done: 'Changed.' },
    next: { path: '/register', running: null, toast: { message: 'Changed.', turn: 1 } },
  },
  {
    title: 'the next page shows what went wrong above its form',
    state: { ...running, problem: { message: 'Old.' }, dialog: alert },
    action: { kind: 'arrived', run, path: '/register', problem: 'No.' },
    next: { path: '/register', running: null, dialog: null, problem: { message: 'No.' } },
  },
  {
    title: 'its messages stay even if the path has already changed',
    state: { ...idle, path: '/register' },
    action: { kind: 'arrived', run, path: '/register', done: 'Changed.', problem: 'No.' },
    next: { toast: { message: 'Changed.', turn: 1 }, problem: { message: 'No.' } },
  },

  {
    title: 'the same path changes nothing',
    state: { ...running, dialog: alert },
    action: { kind: 'moved', path: '/sign-in' },
  },
  {
    title: 'another path ends what the page was doing',
    state: {
      ...running,
      dialog: alert,
      externalRedirect: 'app:',
      ended: 'Over.',
      problem: { message: 'No.' },
      toast: { message: 'Changed.', turn: 1 },
    },
    action: { kind: 'moved', path: '/register' },
    next: { path: '/register', running: null, dialog: null, externalRedirect: null, problem: null },
  },
  {
    title: 'another path answers an open question with no',
    state: asking,
    action: { kind: 'moved', path: '/register' },
    next: { path: '/register', dialog: null },
    effects: [{ kind: 'answer', answer: question.answer, yes: false }],
  },

  {
    title: 'a browser that has not left shows where it was sent',
    state: running,
    action: { kind: 'stayed', url: 'app:' },
    next: { running: null, externalRedirect: 'app:' },
  },
  {
    title: 'a slow provider, an app that continues, or a page restored from the cache ends the journey',
    state: { ...running, externalRedirect: 'app:' },
    action: { kind: 'stayed', url: null },
    next: { running: null, externalRedirect: null },
  },

  {
    title: 'a second toast is a new one',
    state: { ...running, toast: { message: 'Sent.', turn: 1 } },
    action: { kind: 'arrived', run, path: '/sign-in', done: 'Sent.' },
    next: { running: null, toast: { message: 'Sent.', turn: 2 } },
  },
  {
    title: 'a toast ends',
    state: { ...idle, toast: { message: 'Sent.', turn: 1 } },
    action: { kind: 'toastEnded' },
    next: { toast: null },
  },

  {
    title: 'a question is asked',
    state: idle,
    action: { kind: 'asked', question },
    next: { dialog: { kind: 'question', ...question } },
  },
  {
    title: 'a question replaces an open one, which is answered with no',
    state: asking,
    action: { kind: 'asked', question: { ...question, yes: 'Yes' } },
    next: { dialog: { kind: 'question', ...question, yes: 'Yes' } },
    effects: [{ kind: 'answer', answer: question.answer, yes: false }],
  },
  {
    title: 'a question is answered with yes',
    state: asking,
    action: { kind: 'answered', yes: true },
    next: { dialog: null },
    effects: [{ kind: 'answer', answer: question.answer, yes: true }],
  },
  {
    title: 'a question is closed',
    state: asking,
    action: { kind: 'answered', yes: false },
    next: { dialog: null },
    effects: [{ kind: 'answer', answer: question.answer, yes: false }],
  },
  {
    title: 'an alert leads back',
    state: { ...idle, dialog: alert },
    action: { kind: 'answered', yes: false },
    next: { dialog: null },
    effects: [{ kind: 'back', pages: 1 }],
  },
  {
    title: 'an alert without a way back closes',
    state: { ...idle, dialog: { ...alert, back: 0 } },
    action: { kind: 'answered', yes: false },
    next: { dialog: null },
  },
  {
    title: 'no to a confirmation leads back',
    state: { ...idle, dialog: { ...confirm, form } },
    action: { kind: 'answered', yes: false },
    next: { dialog: null },
    effects: [{ kind: 'back', pages: 1 }],
  },
  {
    title: 'yes to a confirmation runs its journey',
    state: { ...idle, dialog: { ...confirm, form } },
    action: { kind: 'answered', yes: true },
    next: { dialog: null },
    effects: [{ kind: 'run', intent: 'register', form }],
  },
  {
    title: 'yes to a confirmation of the server is left to its form',
    state: { ...idle, dialog: { ...confirm, form: null } },
    action: { kind: 'answered', yes: true },
  },
  {
    title: 'an answer without a dialog changes nothing',
    state: idle,
    action: { kind: 'answered', yes: true },
  },
]

describe('the reaction reducer', () => {
  it.each(rows)('$title', ({ state, action, next = {}, effects = [] }) => {
    expect(reduceReactions(state, action)).toEqual({ state: { ...state, ...next }, effects })
  })
})

describe('the initial state', () => {
  it.each([
    { notice: null },
    { notice: { kind: 'inline', field: null, message: 'No.' } as const, problem: { message: 'No.' } },
    { notice: { kind: 'inline', field: 'password', message: 'No.' } as const },
    { notice: alert, dialog: alert },
    { notice: confirm, dialog: { ...confirm, form: null } },
  ])('shows the notice $notice', ({ notice, dialog = null, problem = null }) => {
    expect(createInitialState('/sign-in', notice)).toMatchObject({
      dialog,
      problem,
      running: null,
      toast: null,
    })
  })
})

it('a flow is shown as running only on the page that started it', () => {
  expect(stateOnPath(running, '/sign-in')).toBe(running)
  expect(stateOnPath(running, '/register')).toMatchObject({ path: '/register', running: null })
})
