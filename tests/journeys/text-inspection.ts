import type { Page } from 'playwright'
import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { textDirection } from '../../src/domain/experience/direction.ts'
import { phraseCatalogues } from '../client/catalogues.ts'

/**
 * Checks the texts of a page in every language: that they fit and have the right direction, and that none is
 * left in English.
 */

type Language = keyof typeof phraseCatalogues

/** Returns a description of every problem with the texts of a page. */
export async function textFaults(page: Page, language: string): Promise<string[]> {
  const { texts, faults } = await page.evaluate(inspectTexts, textDirection(language))
  const isEnglish = englishIn(language)
  return [
    ...faults,
    ...[...new Set(texts)].filter(isEnglish).map((text) => `left in English: ${text}`),
    ...((await page.locator('html').getAttribute('lang')) === language ? [] : ['another lang']),
  ]
}

/** This function runs in the page, so it must not refer to anything outside itself. */
function inspectTexts(direction: 'ltr' | 'rtl'): { texts: string[]; faults: string[] } {
  const faults: string[] = []
  const say = (what: string, element: Element | null) =>
    faults.push(`${what}: ${element?.outerHTML.slice(0, 160)}`)
  const root = document.documentElement
  if (root.dir !== direction) say('another direction', root)
  if (root.scrollWidth > root.clientWidth) say(`${root.scrollWidth} px wide`, root)

  // The operator's custom content is exempt, as are elements that are inert, closed or only for screen
  // readers.
  const isDrawn = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('.vestibule-custom-content, .visually-hidden, svg')
  const elements = [...document.body.querySelectorAll('*')].filter(isDrawn)
  // Fields, and the chip that shows the identifier, may truncate their text. Screen readers get the whole
  // text.
  const isVisitors = (element: Element) => element.matches('input, .chip-name')
  const clips = (element: Element) => getComputedStyle(element).overflowX !== 'visible'

  for (const element of elements) {
    const { scrollWidth, clientWidth } = element
    // A button may overhang by the space around its icon. Otherwise, allow half a pixel for rounding.
    const margin = element.querySelector('.icon-button') ? 12 : 1
    if (!isVisitors(element) && clientWidth > 1 && scrollWidth > clientWidth + margin)
      say(`${scrollWidth} px in a box of ${clientWidth}`, element)
  }

  const texts: { text: string; node: Text; parent: Element }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!(node instanceof Text) || !parent || parent.closest('script, style')) continue
    if (node.data.trim() !== '') texts.push({ text: node.data, node, parent })
  }

  const boxOf = (node: Text, from = 0, to = node.length) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return range.getBoundingClientRect()
  }
  for (const { text, node, parent } of texts.filter((each) => isDrawn(each.parent))) {
    const box = boxOf(node)
    // A list that opens over the page scrolls independently.
    if (parent.closest('details ul') || isVisitors(parent)) continue
    if (box.left < -1 || box.right > innerWidth + 1) say('beyond the window', parent)
    for (
      let around: Element | null = parent;
      around && around !== document.body;
      around = around.parentElement
    ) {
      const edge = around.getBoundingClientRect()
      const isButton = around.matches('button, .button, summary')
      if (isButton && (box.top < edge.top - 1 || box.bottom > edge.bottom + 1))
        say('higher than its button', around)
      if ((isButton || clips(around)) && (box.left < edge.left - 1 || box.right > edge.right + 1))
        say('cut', around)
    }
    // Digits are weak characters: without isolation, "+49 170" is rendered as "170 49+".
    const phone = direction === 'rtl' ? /\+\d[\d ()*-]{3,}\d/.exec(text) : null
    if (phone) {
      const [first, last] = [phone.index, phone.index + phone[0].length - 1]
      if (boxOf(node, first, first + 1).left > boxOf(node, last, last + 1).left)
        say('a phone number from right to left', parent)
    }
  }

  const codes = [...document.querySelectorAll('.code-box')].map((box) => box.getBoundingClientRect().left)
  if (codes.some((left, index) => left < (codes[index - 1] ?? 0)))
    faults.push('code boxes from right to left')
  for (const icon of document.querySelectorAll('.back-bar .icon, .countries-back .icon')) {
    // Chromium computes no transform for elements that are not rendered. On a desktop, this applies to the
    // back button of the list of countries.
    if (!icon.checkVisibility()) continue
    // The cross that closes a window has no direction.
    const isArrow = icon.closest('a, .countries-back') !== null
    const scale = new DOMMatrix(getComputedStyle(icon).transform).a
    if (isArrow && scale !== (direction === 'rtl' ? -1 : 1)) say('an arrow in the wrong direction', icon)
  }

  const attributes = ['aria-label', 'placeholder', 'title', 'alt'].flatMap((name) =>
    [...document.body.querySelectorAll(`[${name}]`)]
      .filter((element) => !element.closest('.vestibule-custom-content'))
      .map((element) => element.getAttribute(name) ?? ''),
  )
  const written = texts.filter(({ parent }) => !parent.closest('.vestibule-custom-content, .languages ul'))
  return {
    faults: [...new Set(faults)],
    texts: [document.title, ...attributes, ...written.map(({ text }) => text)]
      .map((text) => text.trim())
      .filter(Boolean),
  }
}

const englishTests = new Map<string, (text: string) => boolean>()

/**
 * Returns a check for English phrases that the language translates differently, including phrases with a
 * placeholder and parts of a phrase beside a link.
 */
function englishIn(language: string): (text: string) => boolean {
  const known = englishTests.get(language)
  if (known) return known
  const { translation, errors } = phraseCatalogues.en
  const own = new Set(phraseTexts(phraseCatalogues[language as Language]).flatMap(partsOf))
  const parts = [translation, errors].flatMap(phraseTexts).flatMap(partsOf)
  const patterns = [...new Set(parts)].filter((part) => !own.has(part)).map(patternOf)
  const whole = language === 'en' ? null : new RegExp(`^(?:${patterns.join('|')})$`)
  const test = (text: string) => whole?.test(text) ?? false
  englishTests.set(language, test)
  return test
}

const phraseTexts = (part: Phrases): string[] =>
  Object.values(part).flatMap((value) => (typeof value === 'string' ? [value] : phraseTexts(value)))

/**
 * Splits a phrase into the parts that a page renders separately, such as a link. Parts without a word are
 * omitted, because they belong to no language.
 */
const partsOf = (text: string): string[] =>
  text
    .split(/<\/?\w+>/)
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part.replaceAll(/\{\{.*?\}\}/g, '')))

const patternOf = (part: string): string =>
  part
    .split(/\{\{.*?\}\}/)
    .map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.+')
