import { accountFields } from '../../../src/contract/account/account-fields.ts'
import { type RateLimitName, rateLimitNames } from '../../../src/contract/rate-limits.ts'
import { useLanguage, useT } from '../../phrases.ts'
import { labelOf } from '../../ui/label-of.ts'
import { policyTexts } from '../second-factor-policy.tsx'
import { limitWords } from './limit-words.ts'
import { texts } from './phrases.ts'
import { storageFields } from './storage.ts'

/** What the parts of an account are called here. Some are named like settings beside them. */
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

/** What the settings are called here, by their path. */
export function useFieldNames(): (path: string) => string {
  const t = useT(texts, policyTexts)
  const language = useLanguage()
  const inAccountCentre = (text: string) => `${t('account')}: ${text}`
  const inLimit = (name: RateLimitName, text: string) => `${limitWords(name, language).counts}: ${text}`
  const labels = {
    secondFactor: t('secondFactor'),
    'secondFactor.policy': `${t('secondFactor')}: ${t('label')}`,
    'secondFactor.factors': `${t('secondFactor')}: ${t('countedFactors')}`,
    'secondFactor.rememberDays': t('rememberDays'),
    'secondFactor.putOffs': t('putOffs'),
    passwordPolicy: t('passwords'),
    'passwordPolicy.rules': t('rules'),
    'passwordPolicy.haveIBeenPwned': t('breached'),
    passkeys: t('passkeys'),
    'passkeys.enabled': t('enablePasskeys'),
    'passkeys.rpId': t('rpId'),
    'passkeys.offer': t('offer'),
    accountExistence: t('hidden'),
    smsCountries: t('smsCountries'),
    accountCentre: t('account'),
    'accountCentre.enabled': t('centre'),
    'accountCentre.deletionGraceDays': t('grace'),
    ...labelled(accountFields, (name) => [
      `accountCentre.fields.${name}`,
      inAccountCentre(t(accountFieldNames[name])),
    ]),
    limits: t('limits'),
    'limits.lockSeconds': t('lockSeconds'),
    ...labelled(rateLimitNames, (name) => [`limits.${name}.count`, inLimit(name, t('count'))]),
    ...labelled(rateLimitNames, (name) => [`limits.${name}.windowSeconds`, inLimit(name, t('window'))]),
    previewOrigins: t('previewOrigins'),
    imageOrigins: t('imageOrigins'),
    sessionNotFoundRedirectUrl: t('sessionless'),
    changePasswordUrl: t('changePassword'),
    storageProvider: t('storage'),
    ...labelled(Object.values(storageFields).flat(), (name) => [`storageProvider.${name}`, t(name)]),
    'storageProvider.provider': t('provider'),
    unregisteredClients: t('documents'),
    clientRegistration: t('dynamic'),
    'clientRegistration.mostClients': t('mostClients'),
    'clientRegistration.unusedDays': t('unusedDays'),
  }
  return (path) => labelOf(labels, path)
}

const labelled = <Name extends string>(names: readonly Name[], label: (name: Name) => [string, string]) =>
  Object.fromEntries(names.map(label))
