import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltInLanguage, builtInLanguages } from '../../../src/contract/experience/languages.ts'
import type { NavigationState } from '../../../src/contract/interactions/interaction.ts'
import { browserSweep, openBrowser, savePicture, type UserAgent } from '../browser.ts'
import { layoutShifts, watchContext } from '../inspection.ts'
import { enablePasskeys } from '../passkeys/virtual-authenticator.ts'
import { type Screen, screenGroups } from '../screens.ts'
import { interactionOf } from '../steps.ts'
import { openTenant } from '../tenant.ts'
import { textFaults } from '../text-inspection.ts'

/**
 * Tests every screen that has its own URL in every language, on a very narrow phone and on a computer: all
 * texts fit, have the right direction and are translated. states.test.ts covers dialogs and messages.
 */

/**
 * The languages that are most likely to cause problems, in turn: with long words, right-to-left text, tall letters or
 * no spaces. pages.test.ts also mirrors every screen. The exhaustive run uses all languages.
 */
const inTurn: readonly BuiltInLanguage[] = ['de', 'ar', 'fi', 'hi', 'th', 'hu', 'ja']
const widths = [320, 1280]
/** `npm test` measures every third screen of a group, because most screens have the same parts. */
const EVERY = 3

const allScreens = screenGroups.flatMap(({ screens }) => screens)
/**
 * Two screens that together contain most parts of a page. Even `npm test` shows one of them in every
 * language.
 */
const inAll = allScreens.filter((_, index) => index === 0 || index === 5)
const measuredScreens = screenGroups.flatMap(({ screens }) =>
  screens.filter(
    (screen, index) => browserSweep.isExhaustive || index % EVERY === 0 || inAll.includes(screen),
  ),
)

function languagesOf(screen: Screen): readonly BuiltInLanguage[] {
  if (browserSweep.isExhaustive) return builtInLanguages
  if (inAll.includes(screen)) return builtInLanguages.filter((_, turn) => turn % 2 === inAll.indexOf(screen))
  const turn = measuredScreens.indexOf(screen) % inTurn.length
  return inTurn.slice(turn, turn + 1)
}

describe.each(screenGroups)('with $called', async ({ called, experience, hasPasskeys, screens }) => {
  const tenant = await openTenant(experience)
  if (hasPasskeys) await enablePasskeys(tenant)
  const application = await tenant.openApplication()
  let client: UserAgent
  let uid: string

  beforeAll(async () => {
    // A server-rendered page must fit both before and after its script has run. `npm test` checks only the
    // faster case, without JavaScript.
    client = await openBrowser({
      viewport: { width: 320, height: 640 },
      javaScriptEnabled: browserSweep.isExhaustive,
    })
    await watchContext(client.context, tenant.origin)
    await client.page.goto((await application.authorizationUrl()).url)
    uid = interactionOf(client.page)
  })
  afterAll(() => client.context.close())

  const measured = screens.filter((screen) => measuredScreens.includes(screen))
  const named = measured.map((screen) => {
    const [path, navigation] = screen
    return { screen, path, kind: navigation ? (navigation.identifier?.type ?? 'no identifier') : 'no state' }
  })

  it.each(named)('no text on /$path is cut off ($kind)', async ({ screen, path, kind }) => {
    const { page, complaints } = client
    const [, navigation] = screen
    if (navigation) await remember(navigation)
    const problems: Record<string, string[]> = {}
    for (const language of languagesOf(screen)) {
      const query = new URLSearchParams({ interaction: uid, lng: language })
      await page.goto(`${tenant.origin}/${path}${path.includes('?') ? '&' : '?'}${query}`)
      const shifts = browserSweep.isExhaustive ? await layoutShifts(page) : []
      if (shifts.length > 0) problems[`${language}, moves`] = shifts
      for (const width of widths) {
        await page.setViewportSize({ width, height: 640 })
        const faults = await textFaults(page, language)
        if (faults.length > 0) problems[`${language}, ${width} px`] = faults
        await savePicture(page, [called, path, kind, language, width].join('-').replaceAll(/\W+/g, '-'))
      }
    }
    expect(problems).toEqual({})
    expect(complaints.splice(0)).toEqual([])
  })

  /** Stores the navigation state that the previous page would have stored. */
  async function remember(navigation: NavigationState): Promise<void> {
    const answer = await client.page.request.put(`${tenant.origin}/api/interaction/step`, {
      headers: { interaction: uid },
      data: navigation,
    })
    expect(answer.ok()).toBe(true)
  }
})
