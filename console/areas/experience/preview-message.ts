import type {
  Branding,
  SignInExperience,
  SocialConnector,
} from '../../../src/contract/experience/experience.ts'
import type { Phrases } from '../../../src/contract/interactions/boot.ts'
import { findLogoUrlProblem } from '../../../src/domain/experience/pictures.ts'
import { isColor } from '../color-field.tsx'
import type { Connector } from './settings.ts'

/** The options of the preview, which apply to every page. */
export type PreviewState = {
  device: 'desktop' | 'phone'
  mode: 'light' | 'dark'
  language: string
  isNative: boolean
  /** If true, the preview shows the error page. */
  hasFailed: boolean
}

/** The settings, connectors and phrases that the preview shows. */
export type PreviewData = {
  settings: SignInExperience
  /** The stored colours, used until the user has typed valid ones. */
  savedColor: SignInExperience['color']
  /** The connectors, or null if the user may not read them. */
  connectors: readonly Connector[] | null
  /** The operator's custom phrases in the language, or null if they can't be loaded. */
  phrases: Phrases | null
}

/**
 * Returns the message that shows settings in the preview (spec/experience#preview-messages). A page ignores a message
 * with an invalid colour, so the message contains the last valid colour while the user types another one.
 */
export function createPreviewMessage(
  { settings, connectors, phrases }: Omit<PreviewData, 'savedColor'>,
  { device, mode, language, isNative, hasFailed }: PreviewState,
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

/** Omits picture URLs that the API would reject, because pages would never show them. */
function omitBlockedPictures(branding: Branding): Branding {
  const loadable = (address: string | undefined) =>
    address && !findLogoUrlProblem(address) ? address : undefined
  const { logoUrl, darkLogoUrl, favicon } = branding
  return {
    ...branding,
    logoUrl: loadable(logoUrl),
    darkLogoUrl: loadable(darkLogoUrl),
    favicon: loadable(favicon),
  }
}

/** Replaces a colour that the user is still typing with the last valid one. */
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

/** Returns the connectors that have a button, in the order in which the pages show them. */
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
