import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { findPage, pageTable } from '../../client/app/routes.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { languageNames } from '../../src/domain/experience/language-names.ts'
import { trimBootData } from '../../src/web/pages/boot-data.ts'
import { renderHtmlFrame } from '../../src/web/pages/frame.ts'
import { collectStyles } from '../../src/web/pages/page-assets.ts'
import { adaIdentifier, returningAccounts, testBootData } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'
import { withEverything } from './every-page.ts'
import { renderElement } from './render.tsx'

// Compression and rendering take seconds on a busy machine, so the time limit is higher than usual.
vi.setConfig({ testTimeout: 30_000 })

/** The limits, in bytes, for the files that a browser loads (spec/budgets#first-response, spec/budgets#scripts). */
const BUDGET = {
  /** The uncompressed size of /sign-in in English. */
  html: 30_000,
  /** The uncompressed size of any other page. */
  furtherHtml: 32_000,
  firstResponse: 9_000,
  /** The compressed size of the page that contains every element, in the language with the longest phrases. */
  largestResponse: 12_000,
  /** The total size of the page style sheets that are loaded later. A sign-in requires one or two of them. */
  lateStyles: 4_000,
  hydration: 90_000,
  withFirstCall: 101_000,
  passkeys: 4_000,
  /** The script that creates passkeys in the account centre. */
  accountScript: 4_000,
  /** The picture page's script before a picture is chosen. */
  pictureScript: 300,
  withCrop: 2_500,
  /** The script of the account centre's pages for a code. */
  codeScript: 1_000,
}

const ASSETS = 'build/client/assets'
if (!existsSync(ASSETS)) throw new Error('run `vite build` first')

/** The packages and source files in each script. */
const contents: Record<string, string[]> = JSON.parse(readFileSync('build/client-modules.json', 'utf8'))
type Files = { modules: string[]; sheets: string[] }
type Manifest = {
  entry: Files
  account: Record<'passkeys' | 'picture' | 'code', string[]>
  pages: Record<string, Files>
  styles: Record<string, string>
}
const manifest: Manifest = JSON.parse(readFileSync('build/manifest.json', 'utf8'))
const read = (address: string) => readFileSync(`build/client${address}`, 'utf8')
const brotli = (text: string, quality = 11) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)

const files = [...manifest.entry.modules, ...(manifest.pages['sign-in']?.modules ?? [])]
const hydration = files.map(read)
const screens = Object.values(manifest.pages).map(({ modules: [screen] }) => screen)
/** Matches modules that are loaded only for phone numbers, country lists, addresses, passkeys, terms or previews. */
const RARE = /address-help|phone-numbers|country-dropdown|passkey|preview|terms-dialog/
const imported = (code: string, pattern: RegExp) =>
  [...code.matchAll(pattern)].map(([, file]) => `/assets/${file}`)

/** The modules that the hydration scripts import dynamically, except for pages and rare modules. */
const later = hydration
  .flatMap((code) => imported(code, /\bimport\(\s*["'`]\.\/([^"'`]+)["'`]\s*\)/g))
  .filter((file) => !screens.includes(file) && !RARE.test(file))
const called = new Set<string>()
for (const file of later) call(file)

function call(file: string): void {
  if (files.includes(file) || called.has(file)) return
  called.add(file)
  for (const each of imported(read(file), /\bfrom\s*["'`]\.\/([^"'`]+)["'`]/g)) call(each)
}

/** Renders a complete page as the server sends it. */
function pageOf(page: BootData): string {
  const { head, tail } = renderHtmlFrame({
    language: page.language,
    title: 'Vestibule',
    platform: page.platform,
    nonce: '',
    look: page.experience,
    ...collectStyles(page),
    modules: [...new Set([...files, ...(manifest.pages[findPage(page.path)?.page ?? '']?.modules ?? [])])],
    boot: trimBootData(page),
  })
  return head + renderElement(page) + tail
}

const languages = languageNames(builtInLanguages)
/** Boot data as long as that of a real sign-in to the demo application. */
const oneUser = {
  languages,
  interaction: randomBytes(32).toString('base64url'),
  restartUrl: `/oidc/auth?${new URLSearchParams({
    client_id: 'demo-app',
    redirect_uri: 'https://id.example.com/demo-app',
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
    state: randomBytes(32).toString('base64url'),
    nonce: randomBytes(32).toString('base64url'),
  })}`,
}

describe('size budgets', () => {
  const { interaction } = oneUser
  const first = { ...testBootData, ...oneUser, search: `?interaction=${interaction}` }

  it.each(pageTable.map(({ path }) => path))('the page %s of a new tenant stays within budget', (path) => {
    const accounts = path === '/sign-in/account' ? returningAccounts.slice(0, 2) : undefined
    const html = pageOf({ ...first, path, navigation: adaIdentifier, accounts })
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(
      path === '/sign-in' ? BUDGET.html : BUDGET.furtherHtml,
    )
    expect(brotli(html, 5)).toBeLessThanOrEqual(BUDGET.firstResponse)
  })

  it.each(Object.entries(phraseCatalogues))(
    'the page with every element stays within budget in %s',
    (language, { translation }) => {
      const spoken = { ...first, language, phrases: translation, experience: withEverything }
      expect(brotli(pageOf(spoken), 5)).toBeLessThanOrEqual(BUDGET.largestResponse)
    },
  )

  it('no script is needed to paint /sign-in or to submit its form (spec/budgets#scripts)', () => {
    const html = pageOf({ ...first, path: '/sign-in' })
    const scripts = [...html.matchAll(/<script type="([^"]*)"/g)].map(([, type]) => type)
    expect(html.match(/<script/g)).toHaveLength(scripts.length)
    // Modules never block parsing, and their preloads have a low priority.
    expect([...new Set(scripts)].sort()).toEqual(['application/json', 'module'])
    expect(html).toMatch(/<form[^>]* method="post"/)
    expect(html).toMatch(/<button[^>]*>(?:<[^>]*>)*Sign in/)
  })

  it('the style sheets that JavaScript adds stay within budget', () => {
    const sheets = new Set(Object.values(manifest.pages).flatMap((files) => files.sheets))
    expect(sheets.size).toBeGreaterThan(3)
    expect(sum([...sheets].map((file) => brotli(read(file))))).toBeLessThanOrEqual(BUDGET.lateStyles)
  })

  it('the scripts that hydration requires stay within budget', () => {
    expect(sum(hydration.map((code) => brotli(code)))).toBeLessThanOrEqual(BUDGET.hydration)
  })

  it('the scripts and the files for the first API call stay within budget', () => {
    expect(later.length).toBeGreaterThan(0)
    const sizes = [...files, ...called].map((file) => brotli(read(file)))
    expect(sum(sizes)).toBeLessThanOrEqual(BUDGET.withFirstCall)
  })
})

describe('the passkey script', () => {
  const scripts = readdirSync(ASSETS).filter((file) => /^passkeys?-.*\.js$/.test(file))

  it('is small and loads after the page', () => {
    expect(scripts.flatMap((file) => contents[`/assets/${file}`] ?? [])).toContain('@simplewebauthn/browser')
    const sizes = scripts.map((file) => brotli(read(`/assets/${file}`)))
    expect(sum(sizes)).toBeLessThanOrEqual(BUDGET.passkeys)
    expect(files.flatMap((file) => contents[file] ?? [])).not.toContain('@simplewebauthn/browser')
  })

  it('is small in the account centre, and shares no file with the sign-in pages', () => {
    const { passkeys } = manifest.account
    expect(sum(passkeys.map((file) => brotli(read(file))))).toBeLessThanOrEqual(BUDGET.accountScript)
    expect(passkeys.filter((file) => files.includes(file))).toEqual([])
  })
})

it("the picture page's script is small, and loads the cropping code only once a picture is chosen", () => {
  const page = manifest.account.picture.map(read)
  expect(page.flatMap((code) => imported(code, /(?:from|^import)\s*["'`]\.\/([^"'`]+)["'`]/gm))).toEqual([])
  expect(sum(page.map((code) => brotli(code)))).toBeLessThanOrEqual(BUDGET.pictureScript)
  const cropping = page
    .flatMap((code) => imported(code, /\bimport\(\s*["'`]\.\/([^"'`]+)["'`]\s*\)/g))
    .map(read)
  expect(cropping).toHaveLength(1)
  expect(cropping.flatMap((code) => imported(code, /(?:from|^import)\s*["'`]\.\/([^"'`]+)["'`]/gm))).toEqual(
    [],
  )
  expect(sum([...page, ...cropping].map((code) => brotli(code)))).toBeLessThanOrEqual(BUDGET.withCrop)
})

it('the script that operates the boxes of a code in the account centre is one small file', () => {
  expect(manifest.account.code).toHaveLength(1)
  expect(sum(manifest.account.code.map((file) => brotli(read(file))))).toBeLessThanOrEqual(BUDGET.codeScript)
})

describe('the account centre in a preview', () => {
  const holders = (module: string) => Object.keys(contents).filter((file) => contents[file]?.includes(module))

  it('is in a file that only previews load', () => {
    const [file = '', ...others] = holders('client/account/account-document.tsx')
    expect(others).toEqual([])
    const scripts = readdirSync(ASSETS).filter((each) => each.endsWith('.js'))
    const naming = scripts.filter((each) => read(`/assets/${each}`).includes(file.slice('/assets/'.length)))
    expect(naming.map((each) => `/assets/${each}`)).toEqual(holders('client/preview/preview.tsx'))
  })

  it('has a separate file of strings for each language', () => {
    const texts = builtInLanguages.map((language) => `locales/account/${language}.json`)
    expect(texts.map((each) => holders(each).map((file) => contents[file]))).toEqual(
      texts.map((each) => [[each]]),
    )
  })
})

describe('hydration', () => {
  const sources = files.flatMap((file) => contents[file] ?? [])

  it.each([
    'client/app/dialogs.tsx',
    'client/browser/read-bridge.ts',
    'client/journeys/identifiers.ts',
    'client/pages/ending.tsx',
    'client/pages/error.tsx',
    'client/pages/logout.tsx',
    'src/contract/interactions/email-address.ts',
  ])('does not wait for %s on /sign-in (ADR-0071)', (module) => {
    expect(sources).toContain('client/forms/journey-form.tsx')
    expect(Object.values(contents).flat()).toContain(module)
    expect(sources).not.toContain(module)
  })
})

describe('the packages that a browser loads', () => {
  const packagesIn = (addresses: Iterable<string>) =>
    [...new Set([...addresses].flatMap((file) => contents[file] ?? []))]
      .filter((name) => !/^(?:client|src)\/|^\0/.test(name))
      .sort()
  const react = ['react', 'react-dom', 'scheduler']

  it('are only React, i18next and the router for hydration (spec/budgets#scripts)', () => {
    expect(packagesIn(files)).toEqual([...react, 'i18next', 'regexparam', 'wouter'].sort())
  })

  it('include the typed API client once the first API call is made', () => {
    expect(packagesIn([...files, ...called])).toEqual(
      [...react, 'hono', 'i18next', 'regexparam', 'wouter'].sort(),
    )
  })
})

describe('the scripts', () => {
  const scripts = readdirSync(ASSETS).filter((file) => file.endsWith('.js'))
  const holding = (text: RegExp) => scripts.filter((file) => text.test(read(`/assets/${file}`)))

  it('contain no schema library (spec/budgets#scripts)', () => {
    expect(holding(/ZodError|_zod\b/)).toEqual([])
  })

  it('contain the numbering plans once, in a file that is loaded only when a phone number is entered', () => {
    expect(holding(/"country_calling_codes":|country_calling_codes:\{/)).toEqual([
      expect.stringMatching(/^phone-numbers-/),
    ])
    expect(hydration.join()).not.toContain('aria-activedescendant')
  })

  it('are built for production', () => {
    expect(holding(/Download the React DevTools/)).toEqual([])
  })

  it('contain no messages that only the server uses', () => {
    expect(holding(/The page or page size is not valid/)).toEqual([])
  })
})

describe('the style sheets', () => {
  const css = Object.values(manifest.styles).join('')

  it('load no other files', () => {
    expect(css).not.toMatch(/url\(|@import/)
  })

  it('contain the variables and classes documented for operators (spec/experience#css-variables)', () => {
    for (const name of [
      '--radius',
      '--max-width',
      '--font-headline-1',
      '--font-subhead-cap',
      '--color-type-link',
    ]) {
      expect(css).toContain(`${name}:`)
    }
    for (const name of ['page', 'main', 'signature', 'branding']) {
      expect(css).toContain(`.vestibule-${name}`)
    }
  })
})
