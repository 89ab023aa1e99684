import { accountFields } from '../../../src/contract/account/account-fields.ts'
import { type RateLimitName, rateLimitNames } from '../../../src/contract/rate-limits.ts'
import { useLanguage, useT } from '../../phrases.ts'
import { useFieldNames } from '../../ui/label-of.ts'
import { policyPhrases } from '../second-factor-policy.tsx'
import { describeLimit } from './limit-words.ts'
import { organizationPhrases } from './organisations.tsx'
import { texts } from './phrases.ts'

/** The label keys for the parts of an account. Some parts have the same names as settings. */
export const accountFieldNames = {
  name: 'name',
  avatar: 'avatar',
  username: 'username',
  email: 'emailField',
  phone: 'phoneField',
  password: 'password',
  profile: 'profile',
  identities: 'identities',
  passkeys: 'passkeys',
  factors: 'factors',
  sessions: 'sessions',
  applications: 'applications',
  activity: 'activity',
  data: 'data',
  deletion: 'deletion',
} as const satisfies Record<(typeof accountFields)[number], string>

/** Returns the labels of the settings, by path. */
export function useSettingNames(): (path: string) => string {
  const t = useT(texts, policyPhrases)
  const language = useLanguage()
  const inLimit = (name: RateLimitName, text: string) => `${describeLimit(name, language).counts}: ${text}`
  return useFieldNames([texts, organizationPhrases], {
    'secondFactor.policy': `${t('secondFactor')}: ${t('secondFactorPolicy')}`,
    'secondFactor.factors': `${t('secondFactor')}: ${t('countedFactors')}`,
    'storageProvider.provider': t('provider'),
    ...labelEach(accountFields, (name) => [
      `accountCentre.fields.${name}`,
      `${t('accountCentre')}: ${t(accountFieldNames[name])}`,
    ]),
    ...labelEach(rateLimitNames, (name) => [`limits.${name}.count`, inLimit(name, t('count'))]),
    ...labelEach(rateLimitNames, (name) => [`limits.${name}.windowSeconds`, inLimit(name, t('window'))]),
  })
}

const labelEach = <Name extends string>(names: readonly Name[], label: (name: Name) => [string, string]) =>
  Object.fromEntries(names.map(label))
