import { describe, expect, it, vi } from 'vitest'
import { choosePage } from '../../client/app/page-choice.ts'
import { pageTable } from '../../client/app/routes.ts'
import english from '../../locales/en.json'
import type { Experience } from '../../src/contract/experience/experience.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import type { BootData, Phrases } from '../../src/contract/interactions/boot.ts'
import { identifierTypes } from '../../src/contract/interactions/identifiers.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { PRODUCT_NAME } from '../../src/contract/product.ts'
import { languageNames } from '../../src/domain/experience/language-names.ts'
import { sweepOfProcess } from '../kit/sweep.ts'
import { bootExperience, testBootData, withTerms } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'
import { renderElement } from './render.tsx'

// Rendering every page takes seconds on a busy machine, so the time limit is higher than usual.
vi.setConfig({ testTimeout: 30_000 })

const languages = languageNames(builtInLanguages)

/** Settings that together enable every element that pages can show. */
const settings: Experience[] = [
  withTerms,
  { ...withTerms, signIn: { methods: [] }, signUp: { ...bootExperience.signUp, identifiers: [] } },
  {
    ...withTerms,
    forgotPassword: { email: true, phone: true },
    signIn: {
      methods: identifierTypes.map((identifier) => ({
        identifier,
        password: true,
        verificationCode: identifier !== 'username',
        isPasswordPrimary: true,
      })),
    },
    signUp: { identifiers: [...identifierTypes], password: true, verify: true },
  },
]

const steps: (NavigationState | null)[] = [
  null,
  { identifier: { type: 'username', value: '0' } },
  { identifier: { type: 'email', value: '0@0.00' } },
  { identifier: { type: 'phone', value: '12025550123' } },
]

const notices: BootData['notice'][] = [
  { kind: 'inline', field: 'newPassword', message: '0' },
  { kind: 'alert', message: '0', back: 1 },
  { kind: 'confirm', message: '0', yes: '0', intent: 'create', back: 1 },
]

/** Every page in the page table with every setting and navigation state, and every page outside the table. */
const contexts: Partial<BootData>[] = [
  ...pageTable.flatMap(({ path }) =>
    settings.flatMap((chosen) =>
      steps
        .filter((navigation) => choosePage(path, { experience: chosen, navigation }).kind === 'page')
        .map((navigation) => ({ path, experience: chosen, navigation })),
    ),
  ),
  ...notices.map((notice) => ({ path: '/register/password', navigation: steps[1] ?? null, notice })),
  { path: '/register/password' },
  { path: '/nowhere' },
  { search: '?interaction=uid&notification=demo_app.notification' },
  { error: { code: 'oidc.provider_error', message: '0' } },
  { error: { code: 'session.not_found', message: '0' }, restartUrl: '/oidc/auth' },
  { logout: { stage: 'asking', formAction: '/0', xsrf: '0', needsQuestion: true } },
  { logout: { stage: 'asking', formAction: '/0', xsrf: '0', needsQuestion: false } },
  { logout: { stage: 'done' } },
]

const renderPage = (page: Partial<BootData>) => renderElement({ ...testBootData, languages, ...page })

it('the languages test renders every page of the page table', () => {
  const seen = pageTable.filter(({ path }) =>
    settings.some((chosen) =>
      steps.some((navigation) => choosePage(path, { experience: chosen, navigation }).kind === 'page'),
    ),
  )
  expect(seen).toEqual(pageTable)
})

it('pages contain only text from phrases and test values', () => {
  const marked = { language: 'de', phrases: mark(english.translation) }
  const shownTexts = contexts.flatMap((context) => textsIn(renderPage({ ...context, ...marked })))
  const unmarked = shownTexts.map(removeMarked).filter((text) => /\p{L}/u.test(text))
  expect([...new Set(unmarked)].filter((text) => !isName(text))).toEqual([])
})

/** Translations that are identical to the English text. */
const sameWords: Readonly<Record<string, readonly string[]>> = {
  it: ['Password'],
  vi: ['Email'],
  id: ['Email'],
}

const translated = builtInLanguages.filter((language) => language !== 'en')
/** In `npm test`, each language renders one page in sixteen, and each page is rendered in two languages. */
const TURNS = 16
const { isExhaustive } = sweepOfProcess()
const isSampledIn = (language: (typeof translated)[number], index: number) =>
  isExhaustive || index % TURNS === translated.indexOf(language) % TURNS

describe.each(translated)('in %s', (language) => {
  it('no page contains untranslated English text', () => {
    const { translation } = phraseCatalogues[language]
    const own = sameWords[language] ?? []
    const inEnglish = new Set(texts(english.translation).filter((text) => !own.includes(text)))
    const sample = contexts.filter((_, index) => isSampledIn(language, index))
    const shownTexts = sample.flatMap((context) =>
      textsIn(renderPage({ ...context, language, phrases: translation })),
    )
    expect([...new Set(shownTexts)].filter((text) => inEnglish.has(text.trim()))).toEqual([])
  })
})

/** Returns the separate texts of a page, including attributes that screen readers announce. */
function textsIn(html: string): string[] {
  const attributes = [...html.matchAll(/ (?:aria-label|title|alt|placeholder|label)="([^"]*)"/g)]
  // Inline tags are removed first, because a phrase may contain a link.
  const pieces = html
    .replaceAll('<!-- -->', '')
    .replaceAll(/<\/?(?:a|b|bdi|span|strong)(?: [^>]*)?>/g, '')
    .split(/<[^>]*>/)
  return [...attributes.map(([, text = '']) => text), ...pieces]
    .map(decodeEntities)
    .filter((text) => text.trim())
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const decodeEntities = (text: string) =>
  text.replaceAll(/&([#\w]+);/g, (whole, name) => entities[name] ?? whole)

function removeMarked(text: string): string {
  const shorter = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '')
  return shorter === text ? text.trim() : removeMarked(shorter)
}

/** The names of the product, of languages and of the interaction, which are never translated. */
const names = new Set([PRODUCT_NAME, testBootData.interaction, ...languages.map(({ name }) => name)])
const isName = (text: string) => names.has(text)

const mark = (part: Phrases): Phrases =>
  Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, typeof value === 'string' ? `⟦${value}⟧` : mark(value)]),
  )

const texts = (part: Phrases): string[] =>
  Object.values(part).flatMap((value) => (typeof value === 'string' ? [value] : texts(value)))
