import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderExampleMails } from '../../kit/example-messages.ts'
import { openPage, pictureSweep, savePicture } from '../browser.ts'
import { axeViolations, overflowOf } from '../inspection.ts'

/** Shows every built-in email in the widths of a mail program and a phone, in both themes and directions. */

const FOLDER = 'tests/screenshots/mails'
const sizes = { desktop: { width: 600, height: 700 }, mobile: { width: 390, height: 700 } }
const themes = ['light', 'dark'] as const

/** Landmarks belong to the page of the mail program, of which the email is a part. */
const isOfWholePages = /^(?:landmark-one-main|region): /

describe.each(['en', 'ar'])('in the language %s', async (language) => {
  const mails = await renderExampleMails(language)

  it.each(pictureSweep.isExhaustive ? mails : mails.slice(0, 1))(
    'the email $name is accessible',
    async ({ name, subject, text, html = '' }) => {
      if (pictureSweep.isExhaustive) {
        mkdirSync(FOLDER, { recursive: true })
        writeFileSync(`${FOLDER}/${name}-${language}.html`, html)
        writeFileSync(`${FOLDER}/${name}-${language}.txt`, `${subject}\n\n${text}\n`)
      }
      const problems: string[] = []
      for (const [size, viewport] of Object.entries(sizes)) {
        const { page } = await openPage({ viewport })
        await page.setContent(html)
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme })
          await savePicture(page, ['mail', name, language, size, colorScheme].join('-'))
          const violations = (await axeViolations(page)).filter((problem) => !isOfWholePages.test(problem))
          problems.push(...violations.map((problem) => `${colorScheme}: ${problem}`))
        }
        expect(await overflowOf(page), 'nothing to scroll sideways').toBe(0)
      }
      expect(problems).toEqual([])
    },
  )
})
