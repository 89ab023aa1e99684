import { createRoot } from 'react-dom/client'
import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData, Preview } from '../../src/contract/interactions/boot.ts'
import { brandShades } from '../../src/domain/experience/brand.ts'
import { textDirection } from '../../src/domain/experience/direction.ts'
import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import {
  announceReady,
  createPreviewStyles,
  forceTheme,
  listenForTrustedMessages,
  updateDocument,
} from '../browser/preview-frame.ts'
import { isPreviewedAccountPage } from './account-pages.ts'
import { type PreviewConfig, readPreviewMessage } from './preview-message.ts'
import { createPhraseLoader } from './preview-phrases.ts'
import { renderPageScreen, type Screen } from './previewed-page.tsx'
import { withSettings } from './previewed-settings.ts'

/**
 * Shows a page as it would look with other settings (spec/experience#preview-messages). The preview is empty until the
 * first message arrives. The page is inert and makes no calls, because no API client is provided.
 */
export function startPreview(container: HTMLElement, boot: BootData, { origins }: Preview): void {
  const trusted = [boot.origin, ...origins]
  const root = createRoot(container)
  const showStyles = createPreviewStyles()
  const phrases = createPhraseLoader(boot)
  let turn = 0

  container.inert = true
  forceTheme('light')
  listenForTrustedMessages(trusted, (data) => {
    const config = readPreviewMessage(data)
    if (config) show(config).catch(console.error)
  })
  announceReady(trusted)

  async function show(config: PreviewConfig): Promise<void> {
    const mine = ++turn
    const catalogue = await phrases(config)
    const previewed = withSettings({ ...boot, ...catalogue }, config)
    const { path, title, layout, element } = await renderScreen(previewed, config)
    // Discard this result if another message has arrived in the meantime.
    if (mine !== turn) return

    const { language, platform, experience } = previewed
    const mode = config.mode ?? 'light'
    const direction = textDirection(language)
    updateDocument({ path, language: toStandardTag(language), direction, title, layout, platform })
    forceTheme(mode)
    showStyles({ brand: brandRule(experience, mode), custom: experience.customCss ?? '' })
    root.render(element)
  }
}

/**
 * Returns the screen after loading its files. A preview document has the styles of either the sign-in pages or
 * the account centre.
 */
async function renderScreen(boot: BootData, { hasFailed = false }: PreviewConfig): Promise<Screen> {
  if (!isPreviewedAccountPage(boot.path)) return renderPageScreen(boot, hasFailed)
  const { renderAccountScreen } = await import('./account-preview.tsx')
  return renderAccountScreen(boot, boot.path)
}

/** This selector is more specific than the page's own rule, which contains the shades of the current settings. */
function brandRule({ color }: Experience, mode: 'light' | 'dark'): string {
  const { light, dark } = brandShades({ ...color, isDarkModeEnabled: true })
  const shades = Object.entries((mode === 'dark' && dark) || light)
  return `html:root{${shades.map(([name, value]) => `${name}:${value}`).join(';')}}`
}
