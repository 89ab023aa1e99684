import { useT } from '../../phrases.ts'
import { labelOf } from '../../ui/label-of.ts'
import { texts } from './phrases.ts'

export const claims = [
  'givenName',
  'familyName',
  'nickname',
  'birthdate',
  'gender',
  'locale',
  'zoneinfo',
  'website',
] as const
export const addressFields = ['streetAddress', 'postalCode', 'locality', 'region', 'country'] as const

/** What the fields of a user are called here, by their path. */
export function useFieldNames(): (path: string) => string {
  const t = useT(texts)
  const labels = {
    username: t('username'),
    primaryEmail: t('email'),
    primaryPhone: t('phone'),
    emailVerified: `${t('email')}: ${t('verified')}`,
    phoneVerified: `${t('phone')}: ${t('verified')}`,
    name: t('name'),
    avatar: t('avatar'),
    profile: t('profile'),
    customData: t('customData'),
    ...Object.fromEntries([...claims, ...addressFields].map((name) => [name, t(name)])),
  }
  return (path) => labelOf(labels, path.replace(/^profile\.(?:address\.)?/, ''))
}
