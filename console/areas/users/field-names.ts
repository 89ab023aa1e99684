import { useT } from '../../phrases.ts'
import { useFieldNames } from '../../ui/label-of.ts'
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

/** Returns the labels of a user's fields, by path. */
export function useUserFieldNames(): (path: string) => string {
  const t = useT(texts)
  const nameOf = useFieldNames([texts], {
    primaryEmail: t('email'),
    primaryPhone: t('phone'),
    emailVerified: `${t('email')}: ${t('verified')}`,
    phoneVerified: `${t('phone')}: ${t('verified')}`,
  })
  return (path) => nameOf(path.replace(/^profile\.(?:address\.)?/, ''))
}
