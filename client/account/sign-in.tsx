import { type AccountField, isFieldVisible } from '../../src/contract/account/account-fields.ts'
import { useTexts, useView } from './account-view.tsx'
import { Heading } from './parts.tsx'

/** The pages in this section. On all of them, the navigation marks the section's link as current. */
export const signInPages: readonly string[] = [
  '/account/email',
  '/account/email/code',
  '/account/phone',
  '/account/phone/code',
  '/account/password',
  '/account/passkeys',
  '/account/passkeys/new',
  '/account/factors',
  '/account/factors/app',
  '/account/factors/key',
  '/account/browsers',
  '/account/identities',
]

/** A link to a page. `field` is the part of the account that the tenant can hide (spec/account-centre#fields). */
type Way = { path: string; field: AccountField; title: string; hint: string }

/**
 * Links to the pages where users change how they sign in and what protects their account
 * (spec/account-centre#sign-in-and-security). `unavailable` lists the paths of pages that have nothing to offer
 * this user.
 */
export function SignIn({ unavailable }: { unavailable: readonly string[] }) {
  const t = useTexts()
  const { fields } = useView()
  const ways: readonly Way[] = [
    { path: '/account/email', field: 'email', title: t('input.email'), hint: t('address_hint') },
    { path: '/account/phone', field: 'phone', title: t('input.phone_number'), hint: t('address_hint') },
    { path: '/account/password', field: 'password', title: t('input.password'), hint: t('password_hint') },
    {
      path: '/account/passkeys',
      field: 'passkeys',
      title: t('passkeys'),
      hint: t('vestibule.passkey_offer_hint'),
    },
    { path: '/account/factors', field: 'factors', title: t('factors'), hint: t('factors_lead') },
    { path: '/account/browsers', field: 'factors', title: t('browsers'), hint: t('browsers_lead') },
    { path: '/account/identities', field: 'identities', title: t('identities'), hint: t('identities_lead') },
  ]
  return (
    <>
      <Heading title={t('sign_in')} lead={t('sign_in_lead')} />
      <ul className="account-card account-ways">
        {ways
          .filter(({ path, field }) => isFieldVisible(fields, field) && !unavailable.includes(path))
          .map(({ path, title, hint }) => (
            <li key={path}>
              <a href={path}>{title}</a>
              <p className="account-quiet">{hint}</p>
            </li>
          ))}
      </ul>
    </>
  )
}
