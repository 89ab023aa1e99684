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
import type { PlacedReaction } from '../../client/reactions/reactions.ts'

const idle = createInitialState('/sign-in', null)
const repeat = () => {}
const run: JourneyRun = { intent: 'send', turn: 1, repeat, hasFields: true }
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

const reacted = (reaction: PlacedReaction, mine = run): ReactionAction => ({
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
    title: 'a refusal that no page expects is also a toast, which is not announced a second time',
    state: running,
    action: reacted({ kind: 'inline', field: null, message: 'No.', hasToast: true }),
    next: {
      running: null,
      problem: { message: 'No.' },
      toast: { message: 'No.', turn: 1, isRepeated: true },
    },
  },
  {
    title: 'a call that may succeed the next time can be repeated',
    state: running,
    action: reacted({ kind: 'inline', field: null, message: 'Offline.', tone: 'offline', canRepeat: true }),
    next: { running: null, problem: { message: 'Offline.', tone: 'offline', repeat } },
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
    next: { path: '/register', running: null, toast: { message: 'Changed.', turn: 1, isRepeated: false } },
  },
  {
    title: 'the next page shows what went wrong above its form',
    state: { ...running, problem: { message: 'Old.' }, dialog: alert },
    action: { kind: 'arrived', run, path: '/register', problem: 'No.', tone: 'calm' },
    next: { path: '/register', running: null, dialog: null, problem: { message: 'No.', tone: 'calm' } },
  },
  {
    title: 'the next page repeats a refusal that nothing expects in a toast',
    state: running,
    action: { kind: 'arrived', run, path: '/register', problem: 'No.', hasToast: true },
    next: {
      path: '/register',
      running: null,
      problem: { message: 'No.' },
      toast: { message: 'No.', turn: 1, isRepeated: true },
    },
  },
  {
    title: 'its messages stay even if the path has already changed',
    state: { ...idle, path: '/register' },
    action: { kind: 'arrived', run, path: '/register', done: 'Changed.', problem: 'No.' },
    next: { toast: { message: 'Changed.', turn: 1, isRepeated: false }, problem: { message: 'No.' } },
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
      toast: { message: 'Changed.', turn: 1, isRepeated: false },
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
    state: { ...running, toast: { message: 'Sent.', turn: 1, isRepeated: false } },
    action: { kind: 'arrived', run, path: '/sign-in', done: 'Sent.' },
    next: { running: null, toast: { message: 'Sent.', turn: 2, isRepeated: false } },
  },
  {
    title: 'a toast ends',
    state: { ...idle, toast: { message: 'Sent.', turn: 1, isRepeated: false } },
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
    effects: [{ kind: 'back', to: 1, message: 'Taken.' }],
  },
  {
    title: 'an alert leads to a certain page',
    state: { ...idle, dialog: { ...alert, back: '/continue/username' } },
    action: { kind: 'answered', yes: false },
    next: { dialog: null },
    effects: [{ kind: 'back', to: '/continue/username', message: 'Taken.' }],
  },
  {
    title: 'an interaction without pages to go back to has ended',
    state: idle,
    action: { kind: 'ended', message: 'Over.' },
    next: { ended: 'Over.' },
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
    effects: [{ kind: 'back', to: 1, message: 'Create one?' }],
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
