import { createRoot } from 'react-dom/client'
import type { BootData, Phrases, Preview } from '../../src/contract/boot.ts'
import type { Branding, Experience } from '../../src/contract/experience.ts'
import type { Step } from '../../src/contract/interaction.ts'
import { brandShades } from '../../src/domain/brand.ts'
import { direction } from '../../src/domain/direction.ts'
import { connectorsFor, type Surroundings } from '../../src/domain/social-connectors.ts'
import { standardTag } from '../../src/domain/standard-tag.ts'
import { App } from '../app/app.tsx'
import { pageModules } from '../browser/pages.ts'
import { forceTheme } from '../browser/theme.ts'
import { choosePage, findPage, pageTitle } from '../routes.ts'
import { safeContent } from './preview-content.ts'
import { type PreviewConfig, readPreviewMessage } from './preview-message.ts'

/**
 * The page as it would be with settings that are not in force (product 2, decision 34). Nothing is drawn before the
 * first message, nothing can be touched, and no interaction is called: no page here is given anything to call.
 */
export function startPreview(container: HTMLElement, boot: BootData, { origins }: Preview): void {
  const trusted = [boot.origin, ...origins]
  const root = createRoot(container)
  const style = createStyle()
  const phrases = createPhrases(boot)
  let turn = 0

  container.inert = true
  forceTheme('light')
  addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    const config = trusted.includes(origin) ? readPreviewMessage(data) : null
    if (config) show(config).catch(console.error)
  })
  announce(trusted)

  async function show(config: PreviewConfig): Promise<void> {
    const mine = ++turn
    const spoken = await phrases(config.language ?? boot.language)
    const page = pageFor({ ...boot, ...spoken }, config)
    const row = findPage(page.path)
    if (row) await pageModules.load(row.page)
    // Another message has come meanwhile.
    if (mine !== turn) return

    document.documentElement.lang = standardTag(page.language)
    document.documentElement.dir = direction(page.language)
    document.title = pageTitle(page)
    forceTheme(config.mode ?? 'light')
    style(page.experience, config.mode ?? 'light')
    if (location.pathname !== page.path) history.replaceState(null, '', page.path + location.search)
    root.render(<App key={page.path} boot={page} pages={pageModules} />)
  }
}

/** What the pages would be drawn from. */
function pageFor(boot: BootData, config: PreviewConfig): BootData {
  const { mode = 'light', isNative = false, platform = boot.platform } = config
  const settings: Experience = { ...boot.experience, ...defined(config.signInExperience) }
  const { socialConnectors, customContent, languageInfo } = settings
  const shown = connectorsFor(socialConnectors, isNative ? appFor(settings) : { kind: 'web' })
  const experience: Experience = {
    ...settings,
    branding: brandingOf(settings, mode),
    socialConnectors: shown.map(({ logo, logoDark, ...connector }) => ({
      ...connector,
      logo: (mode === 'dark' && logoDark) || logo,
    })),
    customContent: Object.fromEntries(
      Object.entries(customContent).map(([path, html]) => [path, safeContent(html)]),
    ),
  }
  const elsewhere = choosePage(boot.path, { experience, step: null })
  const path = elsewhere.kind === 'redirect' ? elsewhere.path : boot.path
  return {
    ...boot,
    path,
    experience,
    platform,
    languages: languageInfo.autoDetect ? boot.languages : [],
    step: sampleStep(path, experience),
  }
}

/** What a sender has left undefined is not there. */
const defined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T

/** An app that can do whatever is asked of it. */
const appFor = ({ socialConnectors }: Experience): Surroundings => ({
  kind: 'native',
  supported: { universal: true, nativeTargets: socialConnectors.map(({ target }) => target) },
  hasCallbackLink: true,
})

/** The logo of the theme that is shown, as the only one: pages let the system choose between two. */
function brandingOf({ branding, color }: Experience, mode: 'light' | 'dark'): Branding {
  const { logoUrl, darkLogoUrl } = branding
  if (!color.isDarkModeEnabled) return { ...branding, darkLogoUrl: undefined }
  const logo = mode === 'dark' ? (darkLogoUrl ?? logoUrl) : (logoUrl ?? darkLogoUrl)
  return { ...branding, logoUrl: logo, darkLogoUrl: undefined }
}

const samples = [
  { type: 'email', value: 'ada@example.com' },
  { type: 'phone', value: '12025550100' },
  { type: 'username', value: 'ada' },
] as const satisfies Step['identifier'][]

/** What somebody could have typed on the page before, where the page needs to know (decision 7). */
function sampleStep(path: string, experience: Experience): Step | null {
  if (findPage(path)?.needs !== 'step') return null
  const steps = samples.map((identifier): Step => ({ identifier }))
  return steps.find((step) => choosePage(path, { experience, step }).kind === 'page') ?? steps[0] ?? null
}

/** The operator's colours and CSS. Sheets made by script need no nonce. */
function createStyle(): (experience: Experience, mode: 'light' | 'dark') => void {
  const brand = new CSSStyleSheet()
  const custom = new CSSStyleSheet()
  document.adoptedStyleSheets = [brand, custom]
  return ({ color, customCss }, mode) => {
    const { light, dark } = brandShades({ ...color, isDarkModeEnabled: true })
    const shades = Object.entries((mode === 'dark' && dark) || light)
    // Said more strongly than by the page, whose shades are those of the settings in force.
    brand.replaceSync(`html:root{${shades.map(([name, value]) => `${name}:${value}`).join(';')}}`)
    custom.replaceSync(customCss ?? '')
  }
}

type Spoken = { language: string; phrases: Phrases }

/** What is said in a language, asked for once. Where it cannot be had, the page keeps to its own. */
function createPhrases(boot: BootData): (language: string) => Promise<Spoken> {
  const own = { language: boot.language, phrases: boot.phrases }
  const known = new Map<string, Promise<Spoken>>([[boot.language, Promise.resolve(own)]])
  return (language) => {
    const spoken = known.get(language) ?? fetchPhrases(language)
    known.set(language, spoken)
    return spoken.catch(() => {
      known.delete(language)
      return own
    })
  }
}

const TIMEOUT_MS = 10_000 // product 9

async function fetchPhrases(lng: string): Promise<Spoken> {
  const answer = await fetch(`/api/.well-known/phrases?${new URLSearchParams({ lng, no_cache: '' })}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`no phrases: ${answer.status}`)
  const { translation }: { translation: Phrases } = await answer.json()
  return { language: answer.headers.get('content-language') ?? lng, phrases: translation }
}

/** Tells whoever shows this page that it listens now: the first message must not come too early. */
function announce(trusted: readonly string[]): void {
  const waiting = window.parent === window ? window.opener : window.parent
  if (!waiting) return
  // A browser complains of a message to somebody else than the window's, so it is sent to whom it is for, if that is known.
  const shownBy = location.ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin
  const known = trusted.filter((origin) => origin === shownBy)
  for (const origin of known.length > 0 ? known : trusted) {
    waiting.postMessage({ sender: 'vestibule_preview_ready' }, origin)
  }
}
