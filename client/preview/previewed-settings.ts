import type { Branding, Experience } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { type PageEnvironment, selectAvailableConnectors } from '../../src/domain/social/social-connectors.ts'
import { sanitizeContent } from '../browser/safe-content.ts'
import type { PreviewConfig } from './preview-message.ts'

/** Returns the boot data with the settings from a message. */
export function withSettings(boot: BootData, config: PreviewConfig): BootData {
  const { mode = 'light', isNative = false, platform = boot.platform } = config
  const settings: Experience = { ...boot.experience, ...omitUndefined(config.signInExperience) }
  const { socialConnectors, customContent, languageInfo } = settings
  const connectors = selectAvailableConnectors(
    socialConnectors,
    isNative ? appSupporting(settings) : { kind: 'web' },
  )
  const experience: Experience = {
    ...settings,
    branding: brandingOf(settings, mode),
    socialConnectors: connectors.map(({ logo, logoDark, ...connector }) => ({
      ...connector,
      logo: (mode === 'dark' && logoDark) || logo,
    })),
    customContent: Object.fromEntries(
      Object.entries(customContent).map(([path, html]) => [path, sanitizeContent(html)]),
    ),
  }
  return { ...boot, experience, platform, languages: languageInfo.autoDetect ? boot.languages : [] }
}

/** Omits the settings that are undefined in the message. */
const omitUndefined = <T extends object>(settings: T): T =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T

/** Returns a page environment in which an app supports all connectors. */
const appSupporting = ({ socialConnectors }: Experience): PageEnvironment => ({
  kind: 'native',
  supported: { universal: true, nativeTargets: socialConnectors.map(({ target }) => target) },
  hasCallbackLink: true,
})

/**
 * Keeps only the logo for the theme being previewed. With two logos, the system theme would decide which one is
 * shown.
 */
function brandingOf({ branding, color }: Experience, mode: 'light' | 'dark'): Branding {
  const { logoUrl, darkLogoUrl } = branding
  if (!color.isDarkModeEnabled) return { ...branding, darkLogoUrl: undefined }
  const logo = mode === 'dark' ? (darkLogoUrl ?? logoUrl) : (logoUrl ?? darkLogoUrl)
  return { ...branding, logoUrl: logo, darkLogoUrl: undefined }
}
