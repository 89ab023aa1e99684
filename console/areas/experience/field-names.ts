import { useT } from '../../phrases.ts'
import { labelOf } from '../../ui/label-of.ts'
import { brandTexts } from './brand.tsx'
import { languageTexts } from './languages.tsx'
import { texts } from './phrases.ts'
import { signInTexts } from './sign-in.tsx'
import { termsTexts } from './terms.tsx'

/** What the fields of the sign-in experience are called here, by their path. */
export function useFieldNames(): (path: string) => string {
  const t = useT(texts, brandTexts, signInTexts, termsTexts, languageTexts)
  const inSignUp = (text: string) => `${t('signUp')}: ${text}`
  const labels = {
    branding: t('brand'),
    'branding.name': t('name'),
    'branding.logoUrl': t('logo'),
    'branding.darkLogoUrl': t('darkLogo'),
    'branding.favicon': t('favicon'),
    color: t('color'),
    'color.primaryColor': t('primary'),
    'color.isDarkModeEnabled': t('dark'),
    'color.darkPrimaryColor': t('darkPrimary'),
    layout: t('layout'),
    'layout.pictureUrl': t('picture'),
    customCss: t('customCss'),
    customContent: t('customContent'),
    signIn: t('signInMethods'),
    signUp: t('signUp'),
    'signUp.identifiers': inSignUp(t('identifier')),
    'signUp.password': inSignUp(t('askPassword')),
    'signUp.verify': inSignUp(t('verify')),
    signInMode: t('mode'),
    socialSignInConnectorTargets: t('social'),
    termsOfUseUrl: t('termsOfUseUrl'),
    privacyPolicyUrl: t('privacyPolicyUrl'),
    agreeToTermsPolicy: t('policy'),
    languageInfo: t('languages'),
    'languageInfo.autoDetect': t('detect'),
    'languageInfo.fallbackLanguage': t('fallback'),
  }
  return (path) => labelOf(labels, path)
}
