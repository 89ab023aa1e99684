import { describe, expect, it } from 'vitest'
import {
  type DialogQuestion,
  initialState,
  onPath,
  type ReactionAction,
  type ReactionState,
  reduceReactions,
} from '../../client/app/reaction-reducer.ts'
import type { Reaction } from '../../client/journeys/reactions.ts'

const idle = initialState('/sign-in', null)
const run = { intent: 'send', turn: 1 }
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
  { title: 'a journey begins', state: idle, action: { kind: 'started', run }, next: { running: run } },

  {
    title: 'inline is left to the form',
    state: running,
    action: reacted({ kind: 'inline', field: null, message: 'No.' }),
    next: { running: null },
  },
  {
    title: 'a toast is shown',
    state: running,
    action: reacted({ kind: 'toast', message: 'No.' }),
    next: { running: null, toast: { message: 'No.', turn: 1 } },
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
    title: 'the end of the interaction is kept',
    state: running,
    action: reacted({ kind: 'restart', message: 'Over.' }),
    next: { running: null, ended: 'Over.' },
  },
  {
    title: 'another page is loaded while the journey goes on',
    state: running,
    action: reacted({ kind: 'goTo', path: '/register' }),
    effects: [{ kind: 'goTo', path: '/register', run }],
  },
  {
    title: 'another document is opened while the journey goes on',
    state: running,
    action: reacted({ kind: 'leave', url: '/oidc/auth/uid' }),
    effects: [{ kind: 'leave', url: '/oidc/auth/uid' }],
  },
  {
    title: 'the reaction of a page that was left means nothing',
    state: { ...running, running: { intent: 'send', turn: 2 } },
    action: reacted(alert),
  },
  { title: 'nor does it after the page was left', state: idle, action: reacted(alert) },
  {
    title: 'a finished interaction is left from any page',
    state: idle,
    action: reacted({ kind: 'leave', url: '/oidc/auth/uid' }),
    effects: [{ kind: 'leave', url: '/oidc/auth/uid' }],
  },

  {
    title: 'the next page ends the journey',
    state: running,
    action: { kind: 'arrived', run, message: undefined },
    next: { running: null },
  },
  {
    title: 'the next page shows a message',
    state: running,
    action: { kind: 'arrived', run, message: 'Changed.' },
    next: { running: null, toast: { message: 'Changed.', turn: 1 } },
  },
  {
    title: 'a message stays although the path is new already',
    state: idle,
    action: { kind: 'arrived', run, message: 'Changed.' },
    next: { toast: { message: 'Changed.', turn: 1 } },
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
      toast: { message: 'No.', turn: 1 },
    },
    action: { kind: 'moved', path: '/register' },
    next: { path: '/register', running: null, dialog: null, externalRedirect: null },
  },
  {
    title: 'another path answers an open question with no',
    state: asking,
    action: { kind: 'moved', path: '/register' },
    next: { path: '/register', dialog: null },
    effects: [{ kind: 'answer', answer: question.answer, yes: false }],
  },

  {
    title: 'a browser that stays shows where it was sent',
    state: running,
    action: { kind: 'stayed', url: 'app:' },
    next: { running: null, externalRedirect: 'app:' },
  },
  {
    title: 'a slow provider, an app that goes on, or a page that is back from the cache ends the journey',
    state: { ...running, externalRedirect: 'app:' },
    action: { kind: 'stayed', url: null },
    next: { running: null, externalRedirect: null },
  },

  {
    title: 'a second toast is another one',
    state: { ...idle, toast: { message: 'No.', turn: 1 } },
    action: { kind: 'toast', message: 'No.' },
    next: { toast: { message: 'No.', turn: 2 } },
  },
  {
    title: 'a toast ends',
    state: { ...idle, toast: { message: 'No.', turn: 1 } },
    action: { kind: 'toast', message: null },
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
    title: 'an alert that leads nowhere closes',
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
    title: 'without a dialog there is nothing to answer',
    state: idle,
    action: { kind: 'answered', yes: true },
  },
]

describe('the reaction reducer', () => {
  it.each(rows)('$title', ({ state, action, next = {}, effects = [] }) => {
    expect(reduceReactions(state, action)).toEqual({ state: { ...state, ...next }, effects })
  })
})

describe('the state at the beginning', () => {
  it.each([
    { notice: null, dialog: null },
    { notice: { kind: 'inline', field: null, message: 'No.' } as const, dialog: null },
    { notice: alert, dialog: alert },
    { notice: confirm, dialog: { ...confirm, form: null } },
  ])('has the dialog of $notice', ({ notice, dialog }) => {
    expect(initialState('/sign-in', notice)).toMatchObject({ dialog, running: null, toast: null })
  })
})

it('the work of one page is not shown on another', () => {
  expect(onPath(running, '/sign-in')).toBe(running)
  expect(onPath(running, '/register')).toMatchObject({ path: '/register', running: null })
})
