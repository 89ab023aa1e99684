import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import { type AccountField, isFieldVisible } from '../../src/contract/account/account-fields.ts'
import { useTexts, useView } from './account-view.tsx'
import { Heading } from './parts.tsx'

type Way = {
  text: AccountPhraseKey
  path: string
  name: AccountPhraseKey | 'input.password'
  field?: AccountField
}

/**
 * The recommended steps, in order. The first ones lock out intruders, whether they sign in with the password or with a
 * passkey or address that they added.
 */
const ways: readonly Way[] = [
  { text: 'not_me_password', path: '/account/password', name: 'input.password', field: 'password' },
  { text: 'not_me_ways', path: '/account/sign-in', name: 'sign_in' },
  { text: 'not_me_sessions', path: '/account/sessions', name: 'sessions', field: 'sessions' },
  { text: 'not_me_applications', path: '/account/applications', name: 'applications', field: 'applications' },
]

/** Explains what to do about an activity entry that the user does not recognize (spec/account-centre#activity). */
export function UnrecognizedActivity() {
  const t = useTexts()
  const { fields } = useView()
  const available = ways.filter(({ field }) => !field || isFieldVisible(fields, field))
  return (
    <>
      <Heading title={t('not_me')} lead={t('not_me_lead')} />
      <ol className="account-list">
        {available.map(({ text, path, name }) => (
          <li className="account-card" key={path}>
            <p id={text}>{t(text)}</p>
            <a className="account-action" href={path} aria-describedby={text}>
              {t(name)}
            </a>
          </li>
        ))}
      </ol>
    </>
  )
}
