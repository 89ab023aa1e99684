import { describe, expect, expectTypeOf, it } from 'vitest'
import { findPage } from '../../client/app/routes.ts'
import { createInitialState, reduceReactions } from '../../client/reactions/reaction-reducer.ts'
import type {
  FormJourney,
  PlacedJourney,
  PlacedReaction,
  Reaction,
} from '../../client/reactions/reactions.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { seenText } from '../kit/seen-text.ts'
import {
  pagesWithForms,
  pageWithoutScript,
  type RefusedCall,
  refusals,
  refusedCalls,
} from './refused-calls.ts'
import { renderElement } from './render.tsx'

/**
 * Tests every refusal of the catalogue on every page: with and without JavaScript, the page says what happened. New
 * codes and new pages are included by themselves. tests/web/pages/refusals.test.ts posts the forms to the server, and
 * tests/journeys/interactions/refusals.test.ts looks at the pages in Chromium.
 */

/** The refusals that lead to another page, which needs no message (spec/errors#reactions). */
const LEADS_ON =
  /^user\.(?:missing_profile|second_factor_required|second_factor_missing|new_password_required_in_profile|identity_not_exist)$/

/** The refusals that a page puts into its own words, with the page's language, values and advice. */
const HAS_OWN_WORDS =
  /^(?:client\.|connector\.|request\.too_many_requests|guard\.invalid_input|entity\.not_found|session\.(?:connector_|invalid_credentials)|user\.(?:user_not_exist|terms_not_agreed|email_already_in_use|phone_already_in_use|identity_))/

/** The calls whose failure needs no message, because the next page asks again or the application is next. */
const isOptional = ({ call }: RefusedCall, { path }: BootData): boolean =>
  (call === 'PUT /api/interaction/step' && !path.startsWith('/second-factor')) || path === '/sign-in/passkey'

describe.each(pagesWithForms)('the page "$name"', async (page) => {
  const refused = await refusedCalls(page)
  const calls = refused.filter(
    (call) =>
      messageOf(call.reaction) !== null || !(LEADS_ON.test(call.refusal.code) || isOptional(call, page)),
  )

  const places = new Map<string, boolean>()
  /** Checks that the page without JavaScript shows the message. */
  function hasPlace(reaction: PlacedReaction): boolean {
    const key = JSON.stringify(reaction)
    const isPlaced =
      places.get(key) ?? seenText(renderElement(pageWithoutScript(page, reaction))).includes(SENTENCE)
    places.set(key, isPlaced)
    return isPlaced
  }

  it('says what happened, in the words of the refusal unless it has its own', () => {
    const wrong = calls.filter(
      ({ refusal, reaction }) =>
        messageOf(reaction) === null ||
        (!HAS_OWN_WORDS.test(refusal.code) && messageOf(reaction) !== refusal.message),
    )
    expect(wrong.map(describeCall)).toEqual([])
  })

  it('shows it without JavaScript', () => {
    expect(unseenCalls(calls, (_, reaction) => hasPlace(reaction))).toEqual([])
  })

  it('shows it with JavaScript', () => {
    const isShown = (intent: string, reaction: PlacedReaction) =>
      isShownByScript({ page, hasPlace: () => hasPlace(reaction) }, intent, reaction)
    expect(unseenCalls(calls, isShown)).toEqual([])
  })

  it('declares exactly the fields that its forms draw', async () => {
    const { fields } = (await findPage(page.path)?.load()) ?? {}
    const isShown = renderElement(page).includes('class="form"')
    const declared = Object.entries((isShown && fields?.(page)) || {})
    const drawn = formsOf(renderElement(page)).map(({ intent, names }) => [intent, names])
    const withFields = (forms: readonly (readonly unknown[])[]) =>
      forms.filter(([, names]) => Array.isArray(names) && names.length > 0)
    expect(withFields(declared)).toEqual(withFields(drawn))
  })
})

it('a message about a field cannot be shown before it has a place on the page', () => {
  expectTypeOf<Reaction>().not.toExtend<PlacedReaction>()
  expectTypeOf<FormJourney>().not.toExtend<PlacedJourney>()
})

it('the tests find the refusals and the pages', () => {
  expect(refusals.length).toBeGreaterThan(100)
  expect(pagesWithForms.length).toBeGreaterThan(30)
})

const describeCall = ({ intent, call, refusal, reaction }: RefusedCall): string =>
  `${intent}, ${call}: ${refusal.code} -> ${JSON.stringify(reaction)}`

const messageOf = (reaction: PlacedReaction): string | null =>
  'message' in reaction ? (reaction.message ?? null) : null

const SENTENCE = 'This is what happened.'

/** Returns the calls whose message is not seen. Where a message is shown does not depend on its words. */
function unseenCalls(
  calls: readonly RefusedCall[],
  isSeen: (intent: string, reaction: PlacedReaction) => boolean,
): string[] {
  const known = new Map<string, boolean>()
  return calls
    .filter(({ intent, reaction }) => {
      const placed = 'message' in reaction ? { ...reaction, message: SENTENCE } : reaction
      const key = intent + JSON.stringify(placed)
      const seen = known.get(key) ?? isSeen(intent, placed)
      known.set(key, seen)
      return !seen
    })
    .map(describeCall)
}

/** Checks that the script shows the message, and that the page has a place for it. */
function isShownByScript(
  { page, hasPlace }: { page: BootData; hasPlace: () => boolean },
  intent: string,
  reaction: PlacedReaction,
): boolean {
  const run = { intent, turn: 1, repeat: () => {}, hasFields: true }
  const started = reduceReactions(createInitialState(page.path, null), { kind: 'started', run }).state
  const { state, effects } = reduceReactions(started, { kind: 'reacted', run, reaction, form: {} })
  switch (reaction.kind) {
    case 'inline':
      return state.problem
        ? state.problem.message === SENTENCE && hasPlace()
        : formsOf(renderElement(page)).some(
            (form) => form.intent === intent && form.names.some((name) => name === reaction.field),
          )
    case 'alert':
    case 'confirm':
      return state.dialog?.message === SENTENCE && hasPlace()
    case 'restart':
      return state.ended === SENTENCE && hasPlace()
    case 'goTo':
      return effects.some((effect) => effect.kind === 'goTo' && effect.message === SENTENCE) && hasPlace()
    case 'leave':
      return false
  }
}

/** Returns the forms of a page, each with the names of the fields that have a place for a message. */
const formsOf = (html: string) =>
  [...html.matchAll(/<form[^>]*class="form"[^>]*>(.*?)<\/form>/gs)].map(([, body = '']) => ({
    intent: /name="intent" value="(\w+)"/.exec(body)?.[1] ?? 'send',
    names: [...body.matchAll(/id="([\w-]+)-problem" role="alert"/g)]
      .map(([, name = '']) => name)
      // The switch that reveals passwords cannot be wrong.
      .filter((name) => name !== 'toggle-password'),
  }))
