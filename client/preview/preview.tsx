import { createRoot } from 'react-dom/client'
import type { BootData, Phrases, Preview } from '../../src/contract/boot.ts'
import type { Branding, Experience } from '../../src/contract/experience.ts'
import { brandShades } from '../../src/domain/brand.ts'
import { textDirection } from '../../src/domain/direction.ts'
import { connectorsFor, type PageEnvironment } from '../../src/domain/social-connectors.ts'
import { standardTag } from '../../src/domain/standard-tag.ts'
import { App, loadDocument } from '../app/app.tsx'
import { choosePage } from '../app/page-choice.ts'
import { pageTitle } from '../app/page-title.ts'
import {
  announceReady,
  createPreviewStyles,
  onTrustedMessage,
  showDocument,
} from '../browser/preview-frame.ts'
import { safeContent } from '../browser/safe-content.ts'
import { forceTheme } from '../browser/theme.ts'
import { CONSENT_PATH } from '../routes.ts'
import { type PreviewConfig, readPreviewMessage } from './preview-message.ts'
import { sampleConsent, sampleError, sampleNavigation } from './samples.ts'

/**
 * The page as it would be with settings that are not in force (spec/experience#preview-messages). It is empty before the first
 * message, it is inert, and it calls no interaction: no API is provided here.
 */
export function startPreview(container: HTMLElement, boot: BootData, { origins }: Preview): void {
  const trusted = [boot.origin, ...origins]
  const root = createRoot(container)
  const showStyles = createPreviewStyles()
  const phrases = createPhrases(boot)
  let turn = 0

  container.inert = true
  forceTheme('light')
  onTrustedMessage(trusted, (data) => {
    const config = readPreviewMessage(data)
    if (config) show(config).catch(console.error)
  })
  announceReady(trusted)

  async function show(config: PreviewConfig): Promise<void> {
    const mine = ++turn
    const found = await phrases(config.language ?? boot.language)
    const page = pageFor({ ...boot, ...found }, config)
    await loadDocument(page)
    // Another message has come meanwhile.
    if (mine !== turn) return

    const { path, language, experience } = page
    const mode = config.mode ?? 'light'
    showDocument({
      path,
      language: standardTag(language),
      direction: textDirection(language),
      title: pageTitle(page),
      layout: experience.layout,
    })
    forceTheme(mode)
    showStyles({ brand: brandRule(experience, mode), custom: experience.customCss ?? '' })
    root.render(<App key={`${path} ${config.hasFailed}`} boot={page} />)
  }
}

/** The boot data of the page with these settings. */
function pageFor(boot: BootData, config: PreviewConfig): BootData {
  const { mode = 'light', isNative = false, hasFailed = false, platform = boot.platform } = config
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
  const elsewhere = choosePage(boot.path, { experience, navigation: null })
  const path = elsewhere.kind === 'redirect' ? elsewhere.path : boot.path
  return {
    ...boot,
    path,
    experience,
    platform,
    languages: languageInfo.autoDetect ? boot.languages : [],
    navigation: sampleNavigation(path, experience),
    consent: path === CONSENT_PATH ? sampleConsent : null,
    error: hasFailed ? sampleError(boot.phrases) : null,
  }
}

/** Without the settings that the message leaves undefined. */
const defined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T

/** An app that supports all connectors. */
const appFor = ({ socialConnectors }: Experience): PageEnvironment => ({
  kind: 'native',
  supported: { universal: true, nativeTargets: socialConnectors.map(({ target }) => target) },
  hasCallbackLink: true,
})

/** The logo of the theme as the only one: with two, pages let the system choose. */
function brandingOf({ branding, color }: Experience, mode: 'light' | 'dark'): Branding {
  const { logoUrl, darkLogoUrl } = branding
  if (!color.isDarkModeEnabled) return { ...branding, darkLogoUrl: undefined }
  const logo = mode === 'dark' ? (darkLogoUrl ?? logoUrl) : (logoUrl ?? darkLogoUrl)
  return { ...branding, logoUrl: logo, darkLogoUrl: undefined }
}

/** More specific than the rule of the page, whose shades are those of the settings in force. */
function brandRule({ color }: Experience, mode: 'light' | 'dark'): string {
  const { light, dark } = brandShades({ ...color, isDarkModeEnabled: true })
  const shades = Object.entries((mode === 'dark' && dark) || light)
  return `html:root{${shades.map(([name, value]) => `${name}:${value}`).join(';')}}`
}

type PhrasesOfLanguage = { language: string; phrases: Phrases }

/** The phrases of a language, fetched once. After a failure the page keeps its own. */
function createPhrases(boot: BootData): (language: string) => Promise<PhrasesOfLanguage> {
  const own = { language: boot.language, phrases: boot.phrases }
  const known = new Map<string, Promise<PhrasesOfLanguage>>([[boot.language, Promise.resolve(own)]])
  return (language) => {
    const found = known.get(language) ?? fetchPhrases(language)
    known.set(language, found)
    return found.catch(() => {
      known.delete(language)
      return own
    })
  }
}

const TIMEOUT_MS = 10_000 // spec/limits#page-calls

async function fetchPhrases(lng: string): Promise<PhrasesOfLanguage> {
  const answer = await fetch(`/api/.well-known/phrases?${new URLSearchParams({ lng, no_cache: '' })}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`no phrases: ${answer.status}`)
  const { translation }: { translation: Phrases } = await answer.json()
  return { language: answer.headers.get('content-language') ?? lng, phrases: translation }
}
