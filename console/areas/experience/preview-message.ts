import type {
  Branding,
  SignInExperience,
  SocialConnector,
} from '../../../src/contract/experience/experience.ts'
import type { Phrases } from '../../../src/contract/interactions/boot.ts'
import { pictureFault } from '../../../src/domain/experience/pictures.ts'
import type { Connector } from './settings.ts'

/** How the preview looks at the pages. */
export type PreviewView = {
  device: 'desktop' | 'phone'
  mode: 'light' | 'dark'
  language: string
  isNative: boolean
  /** The page of a failure. */
  hasFailed: boolean
}

/** As the API takes them (spec/experience#fields). */
export const isColor = (text: string): boolean => /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text)

/** What the preview shows. */
export type Previewed = {
  settings: SignInExperience
  /** The colours in force, as long as no valid ones have been typed. */
  savedColor: SignInExperience['color']
  /** Null where they may not be read. */
  connectors: readonly Connector[] | null
  /** The operator's texts of the language; null where they cannot be had. */
  phrases: Phrases | null
}

/**
 * The message that shows settings in the preview (spec/experience#preview-messages). A page ignores a message with a colour that
 * is not one, so the last valid one stands in while another is typed.
 */
export function createPreviewMessage(
  { settings, connectors, phrases }: Omit<Previewed, 'savedColor'>,
  { device, mode, language, isNative, hasFailed }: PreviewView,
  lastColor: SignInExperience['color'],
) {
  return {
    sender: 'vestibule_preview',
    config: {
      signInExperience: {
        ...settings,
        color: keepValidColors(settings.color, lastColor),
        branding: omitBlockedPictures(settings.branding),
        ...(connectors && { socialConnectors: offeredConnectors(settings, connectors) }),
      },
      language,
      ...(phrases && { phrases }),
      mode,
      platform: device === 'phone' ? 'mobile' : 'web',
      isNative,
      hasFailed,
    },
  } as const
}

/** Without addresses that would be refused: the pages would never show them. */
function omitBlockedPictures(branding: Branding): Branding {
  const loadable = (address: string | undefined) => (address && !pictureFault(address) ? address : undefined)
  const { logoUrl, darkLogoUrl, favicon } = branding
  return {
    ...branding,
    logoUrl: loadable(logoUrl),
    darkLogoUrl: loadable(darkLogoUrl),
    favicon: loadable(favicon),
  }
}

/** The colours, each in place of one that is still being typed. */
export function keepValidColors(
  color: SignInExperience['color'],
  last: SignInExperience['color'],
): SignInExperience['color'] {
  const valid = (color: string, before: string) => (isColor(color) ? color : before)
  return {
    ...color,
    primaryColor: valid(color.primaryColor, last.primaryColor),
    darkPrimaryColor: valid(color.darkPrimaryColor, last.darkPrimaryColor),
  }
}

/** In the order of the targets, as the pages show them. */
function offeredConnectors(
  { socialSignInConnectorTargets }: Pick<SignInExperience, 'socialSignInConnectorTargets'>,
  connectors: readonly Connector[],
): SocialConnector[] {
  return socialSignInConnectorTargets.flatMap((offered) =>
    connectors.flatMap(({ type, id, target, platform, name, logo, logoDark }) =>
      type === 'Social' && target === offered && platform
        ? [{ id, target, platform, name, logo, ...(logoDark && { logoDark }) }]
        : [],
    ),
  )
}
