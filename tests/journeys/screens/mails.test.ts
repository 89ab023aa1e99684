import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { messageTypes, noticeTypes } from '../../../src/contract/connectors/connectors.ts'
import { renderMessage } from '../../../src/outbound/messages/templates.ts'
import { openPage, pictureSweep, savePicture } from '../browser.ts'
import { axeViolations, overflowOf } from '../inspection.ts'
import { exampleOf } from './example-messages.ts'

/** Shows every built-in email in the widths of a mail program and a phone, in both themes and directions. */

const FOLDER = 'tests/screenshots/mails'
const sizes = { desktop: { width: 600, height: 700 }, mobile: { width: 390, height: 700 } }
const themes = ['light', 'dark'] as const
const types = [...messageTypes, ...noticeTypes]

/** Landmarks belong to the page of the mail program, in which the email is a part. */
const isOfWholePages = /^(?:landmark-one-main|region): /

const cases = (pictureSweep.isExhaustive ? types : types.slice(0, 1)).flatMap((type) =>
  (['en', 'ar'] as const).map((language) => ({ type, language })),
)

it.each(cases)('the email $type is accessible: $language', async ({ type, language }) => {
  const { html, subject, text } = await renderMessage('Email', {}, exampleOf(type, language))
  if (!html) throw new Error(`the email ${type} has no HTML`)
  if (pictureSweep.isExhaustive) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(`${FOLDER}/${type}-${language}.html`, html)
    writeFileSync(`${FOLDER}/${type}-${language}.txt`, `${subject}\n\n${text}\n`)
  }
  const problems: string[] = []
  for (const [size, viewport] of Object.entries(sizes)) {
    const { page } = await openPage({ viewport })
    await page.setContent(html)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await savePicture(page, ['mail', type, language, size, colorScheme].join('-'))
      const found = (await axeViolations(page)).filter((problem) => !isOfWholePages.test(problem))
      problems.push(...found.map((problem) => `${colorScheme}: ${problem}`))
    }
    expect(await overflowOf(page)).toBe(0)
  }
  expect(problems).toEqual([])
})
