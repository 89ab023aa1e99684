import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { findPage } from '../../../client/app/routes.ts'
import english from '../../../locales/en.json'
import type { BootData } from '../../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../../src/contract/interactions/interaction.ts'
import { renderHtmlFrame } from '../../../src/web/pages/frame.ts'
import { collectStyles } from '../../../src/web/pages/page-assets.ts'
import {
  formValues,
  identifierFor,
  pageWithoutScript,
  type RefusedCall,
  refusals,
  refusedCalls,
} from '../../client/refused-calls.ts'
import { renderElement } from '../../client/render.tsx'
import { browserSweep, desktopOptions, mobileOptions, openPage } from '../browser.ts'
import { untilHydrated } from '../inspection.ts'
import { unwatchedSession } from '../reused-browsers.ts'
import { screenGroups } from '../screens.ts'
import { interactionOf } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/**
 * Looks at pages in Chromium after their call was refused: what happened is in the viewport and in the accessibility
 * tree, also in a low window in which the page has to scroll. The exhaustive run shows each kind of reaction on every
 * page. tests/client/refusals.test.ts refuses every call with every code.
 */

const [everything] = screenGroups
const tenant = await openTenant(everything?.experience)
const application = await tenant.openApplication()

/** One code for each kind of reaction, and one for each field. */
const kinds = [
  'server.internal',
  'session.invalid_credentials',
  'user.username_already_in_use',
  'user.same_password',
  'verification_code.code_mismatch',
  'session.invalid_second_factor',
  'user.password_exists_in_profile',
  'user.terms_not_agreed',
  'session.verification_session_not_found',
  'session.not_found',
  'client.unknown',
] as const
type Kind = (typeof kinds)[number]

const low = { ...desktopOptions, viewport: { width: 1280, height: 420 } }
const windows = { phone: mobileOptions, low }
type Size = keyof typeof windows
type Case = { path: string; navigation: NavigationState | null; code: Kind; size: Size }

const screens = (everything?.screens ?? []).filter(([path]) => findPage(`/${path}`)?.journeys)
const everyCase: Case[] = screens.flatMap(([path, navigation]) =>
  kinds.flatMap((code) => (Object.keys(windows) as Size[]).map((size) => ({ path, navigation, code, size }))),
)

/** The cases in `npm test`: a message at a field, one above the form, an alert, a question and the end. */
const chosen: readonly [path: string, code: Kind, size: Size][] = [
  ['register', 'user.username_already_in_use', 'low'],
  ['continue/verification-code', 'user.username_already_in_use', 'phone'],
  ['continue/emailOrPhone', 'session.invalid_credentials', 'low'],
  ['forgot-password/reset', 'server.internal', 'phone'],
  ['second-factor/set-up', 'session.invalid_second_factor', 'low'],
  ['sign-in/password', 'user.terms_not_agreed', 'phone'],
  ['register/password', 'session.verification_session_not_found', 'phone'],
  ['sign-in/verification-code', 'session.not_found', 'phone'],
]
const isCase =
  (...wanted: (typeof chosen)[number]) =>
  ({ path, code, size }: Case) =>
    wanted.join() === [path, code, size].join()
const cases = browserSweep.isExhaustive
  ? everyCase
  : chosen.map((each) => everyCase.find(isCase(...each)) ?? expect.fail(`no case for ${each.join()}`))

describe.each(cases)('on /$path, $code', ({ path, navigation, code, size }) => {
  // `npm test` looks at each case in one of the two ways.
  const turn = chosen.findIndex(([of]) => of === path) % 2
  it.runIf(browserSweep.isExhaustive || turn === 0)(
    `is seen and heard with JavaScript, in the window "${size}"`,
    async () => {
      const { page } = await openPage(windows[size])
      const boot = await openScreen(page, { path, navigation })
      const refused = await refuseFirstCall(boot, code)
      if (!refused) return expectNotChosen()
      await submitRefused(page, boot, refused)
      await untilSeen(page, sentenceOf(refused, boot))
    },
  )

  it.runIf(browserSweep.isExhaustive || turn === 1)(
    `is seen and heard without JavaScript, in the window "${size}"`,
    async () => {
      const { page } = await openPage(windows[size])
      const boot = await openScreen(page, { path, navigation })
      const refused = await refuseFirstCall(boot, code)
      if (!refused) return expectNotChosen()
      const client = await openPage({ ...windows[size], javaScriptEnabled: false })
      await client.page.setContent(documentOf(pageWithoutScript(boot, refused.reaction)))
      await untilSeen(client.page, sentenceOf(refused, boot))
    },
  )
})

/** Only the exhaustive run contains pages whose main form makes no call that can be refused with the code. */
function expectNotChosen(): void {
  expect(browserSweep.isExhaustive, 'the chosen case is not refused').toBe(true)
}

/** Opens a screen of the tenant and returns the data from which it was rendered. */
async function openScreen(
  page: Page,
  { path, navigation }: Pick<Case, 'path' | 'navigation'>,
): Promise<BootData> {
  await page.goto((await application.authorizationUrl()).url)
  const uid = interactionOf(page)
  await page.request.put(`${tenant.origin}/api/interaction/step`, {
    headers: { interaction: uid },
    data: navigation ?? {},
  })
  await page.goto(`${tenant.origin}/${path}?interaction=${uid}`)
  const data = await page.locator('#boot').textContent()
  return { languages: [], ...JSON.parse(data ?? '') }
}

/** Submits the main form of a page while its calls are refused. */
async function submitRefused(page: Page, boot: BootData, { refusal }: RefusedCall): Promise<void> {
  const { code, status, message, data } = refusal
  await page.route('**/api/interaction{,/**}', (route) =>
    code === 'client.unknown'
      ? route.fulfill({ status: 400, body: 'not JSON' })
      : route.fulfill({ status, json: { code, message, data } }),
  )
  await untilHydrated(page)
  const values = { ...formValues, identifier: identifierFor(boot) }
  await page.locator('.form[aria-labelledby=heading]').evaluate(fillAndSubmit, values)
}

/** Runs in the page. It scrolls to the button, so that a message may be out of sight. */
function fillAndSubmit(element: Element, values: Readonly<Record<string, string>>): void {
  const form = element as HTMLFormElement
  for (const field of form.querySelectorAll('input')) {
    const value = values[field.name]
    if (field.type === 'checkbox') field.checked = true
    else if (value !== undefined) field.value = value
  }
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  button?.scrollIntoView({ block: 'start' })
  form.requestSubmit(button)
}

/** Returns the reaction of the page's main form, as the journeys decide it. */
async function refuseFirstCall(boot: BootData, code: Kind): Promise<RefusedCall | null> {
  const refusalsWithCode = refusals.filter((each) => each.code === code)
  const calls = await refusedCalls(boot, refusalsWithCode)
  const [main = ''] = /<form[^>]*aria-labelledby="heading".*?<\/form>/s.exec(renderElement(boot)) ?? []
  const intent = main && (/name="intent" value="(\w+)"/.exec(main)?.[1] ?? 'send')
  return calls.find((call) => call.intent === intent) ?? null
}

/** Returns the words that the page shows: those of the reaction, unless the interaction can start again. */
function sentenceOf({ reaction }: RefusedCall, { restartUrl }: BootData): string {
  if (reaction.kind === 'restart' && restartUrl) return english.translation.vestibule.expired_or_completed
  const message = 'message' in reaction ? (reaction.message ?? '') : ''
  return (message.split('<link>')[0] ?? '').trim()
}

/** Returns a page as the server sends it, without a script. */
function documentOf(boot: BootData): string {
  const { head, tail } = renderHtmlFrame({
    language: boot.language,
    title: 'Error',
    platform: boot.platform,
    nonce: '',
    look: boot.experience,
    ...collectStyles(boot),
    modules: [],
    boot: null,
  })
  return head + renderElement(boot) + tail
}

/** Waits until a sentence is in the viewport, not covered by anything else, and in the accessibility tree. */
async function untilSeen(page: Page, sentence: string): Promise<void> {
  expect(sentence).not.toBe('')
  await expect.poll(() => page.evaluate(isInViewport, sentence), { message: sentence }).toBe(true)
  const session = await unwatchedSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const heard = nodes.filter(({ ignored, name }) => !ignored && String(name?.value).includes(sentence))
  expect(heard.map(({ role }) => role?.value)).toContain('StaticText')
}

/**
 * Runs in the page. A toast that repeats the sentence does not count, because assistive technology does not know it.
 */
function isInViewport(sentence: string): boolean {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    if (!parent || !node.textContent?.includes(sentence) || parent.closest('[aria-hidden=true]')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = [...range.getClientRects()]
    const isWhole = boxes.every(({ top, bottom }) => top >= 0 && bottom <= innerHeight)
    const isUncovered = boxes.every(({ left, top, width, height }) =>
      document.elementsFromPoint(left + width / 2, top + height / 2)[0]?.closest('.toast') === null
        ? parent.contains(document.elementFromPoint(left + width / 2, top + height / 2))
        : true,
    )
    if (boxes.length > 0 && isWhole && isUncovered && parent.checkVisibility({ opacityProperty: true }))
      return true
  }
  return false
}
