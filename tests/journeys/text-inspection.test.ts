import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type UserAgent } from './browser.ts'
import { textFaults } from './text-inspection.ts'

/**
 * Tests that the text checks of every-language.test.ts and states.test.ts find the problems that they are
 * meant to find.
 */

const tooLong = 'Donaudampfschifffahrt'

const faulty: { what: string; language?: string; html: string; faults: RegExp[] }[] = [
  { what: 'nothing in a text of the language', html: '<h1>Weiter</h1><p>Acme</p>', faults: [] },
  {
    what: 'a page that scrolls sideways',
    html: '<p style="width:400px">Weiter</p>',
    faults: [/^408 px wide/],
  },
  {
    what: 'a word that is wider than its box',
    html: `<p style="width:90px">${tooLong}</p>`,
    faults: [/px in a box of 90/],
  },
  {
    what: 'a text that ends in an ellipsis',
    html: `<p style="width:90px;overflow:hidden;text-overflow:ellipsis">${tooLong}</p>`,
    faults: [/px in a box of 90/, /^cut/],
  },
  {
    what: 'a text that is clipped by a box around it',
    html: `<div style="width:90px;overflow:clip"><div style="width:200px"><p>${tooLong}</p></div></div>`,
    faults: [/px in a box of 90/, /^cut/],
  },
  {
    what: 'a button that is lower than its lines',
    html: '<button style="width:90px;height:20px;padding:0">Mit anderem Konto anmelden</button>',
    faults: [/^higher than its button/],
  },
  { what: 'an English phrase', html: '<button>Continue</button>', faults: [/^left in English: Continue$/] },
  {
    what: 'an English phrase around a value',
    html: '<p>Continue with GitHub</p>',
    faults: [/^left in English: Continue with GitHub$/],
  },
  {
    what: 'an English name for screen readers',
    html: '<button aria-label="Show password"></button>',
    faults: [/^left in English: Show password$/],
  },
  {
    what: "nothing in the operator's own texts",
    html: '<div class="vestibule-custom-content"><p>Continue</p></div>',
    faults: [],
  },
  {
    what: 'a phone number that runs from right to left',
    language: 'ar',
    html: '<p>رقم +49 170 1234567 هنا</p>',
    faults: [/^a phone number from right to left/],
  },
  {
    what: 'nothing in an isolated phone number',
    language: 'ar',
    html: '<p>رقم <bdi>+49 170 1234567</bdi> هنا</p>',
    faults: [],
  },
  {
    what: 'code boxes that run from right to left',
    language: 'ar',
    html: '<input class="code-box" size="1"><input class="code-box" size="1">',
    faults: [/^code boxes from right to left$/],
  },
  {
    what: 'an arrow that is not mirrored',
    language: 'ar',
    html: '<nav class="back-bar"><a href="/"><svg class="icon"></svg></a></nav>',
    faults: [/^an arrow in the wrong direction/],
  },
]

describe('text inspection', () => {
  let client: UserAgent
  beforeAll(async () => {
    client = await openBrowser({ viewport: { width: 320, height: 640 } })
  })
  afterAll(() => client.context.close())

  it.each(faulty)('finds $what', async ({ language = 'de', html, faults }) => {
    const { page } = client
    const dir = language === 'ar' ? 'rtl' : 'ltr'
    await page.setContent(`<!doctype html><html lang="${language}" dir="${dir}"><title>Acme</title>${html}`)
    expect(await textFaults(page, language)).toEqual(faults.map((pattern) => expect.stringMatching(pattern)))
  })

  it('finds text in the wrong language or direction', async () => {
    const { page } = client
    await page.setContent('<!doctype html><html lang="de" dir="ltr"><title>Acme</title>')
    expect(await textFaults(page, 'ar')).toEqual([
      expect.stringMatching(/^another direction/),
      'another lang',
    ])
  })
})
