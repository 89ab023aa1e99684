import { useT } from '../../phrases.ts'
import { labelOf } from '../../ui/label-of.ts'
import { texts as brandTexts } from './brand.tsx'
import { texts as languageTexts } from './languages.tsx'
import { texts } from './phrases.ts'
import { texts as signInTexts } from './sign-in.tsx'
import { texts as termsTexts } from './terms.tsx'

/** What the fields of the sign-in experience are called here, by their path. */
export function useFieldNames(): (path: string) => string {
  const t = useT(texts)
  const brand = useT(brandTexts)
  const signIn = useT(signInTexts)
  const terms = useT(termsTexts)
  const language = useT(languageTexts)
  const inSignUp = (text: string) => `${t('signUp')}: ${text}`
  const labels = {
    branding: t('brand'),
    'branding.name': brand('name'),
    'branding.logoUrl': brand('logo'),
    'branding.darkLogoUrl': brand('darkLogo'),
    'branding.favicon': brand('favicon'),
    color: t('color'),
    'color.primaryColor': brand('primary'),
    'color.isDarkModeEnabled': brand('dark'),
    'color.darkPrimaryColor': brand('darkPrimary'),
    layout: t('layout'),
    'layout.pictureUrl': brand('picture'),
    customCss: t('customCss'),
    customContent: t('customContent'),
    signIn: t('signInMethods'),
    signUp: t('signUp'),
    'signUp.identifiers': inSignUp(signIn('identifier')),
    'signUp.password': inSignUp(signIn('askPassword')),
    'signUp.verify': inSignUp(signIn('verify')),
    signInMode: t('mode'),
    socialSignInConnectorTargets: t('social'),
    termsOfUseUrl: terms('termsOfUseUrl'),
    privacyPolicyUrl: terms('privacyPolicyUrl'),
    agreeToTermsPolicy: terms('policy'),
    languageInfo: t('languages'),
    'languageInfo.autoDetect': language('detect'),
    'languageInfo.fallbackLanguage': language('fallback'),
  }
  return (path) => labelOf(labels, path)
}
