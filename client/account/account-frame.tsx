import type { ReactNode } from 'react'
import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import { type AccountField, isFieldVisible } from '../../src/contract/account/account-fields.ts'
import { useBoot } from '../context/boot.tsx'
import { Footer, Logo } from '../layout/frame.tsx'
import { useTexts, useView } from './account-view.tsx'
import { StatusMessage } from './parts.tsx'
import { signInPages } from './sign-in.tsx'

/**
 * A navigation link. If `fields` is set, the link is shown only if the tenant makes at least one of those fields
 * visible.
 */
type Link = {
  path: string
  text: AccountPhraseKey
  below?: readonly string[]
  fields?: readonly AccountField[]
}

/** The pages in navigation order. */
const links: readonly Link[] = [
  { path: '/account', text: 'overview' },
  { path: '/account/profile', text: 'profile', below: ['/account/picture'] },
  { path: '/account/sign-in', text: 'sign_in', below: signInPages },
  { path: '/account/sessions', text: 'sessions', fields: ['sessions'] },
  { path: '/account/applications', text: 'applications', fields: ['applications'] },
  { path: '/account/activity', text: 'activity', below: ['/account/not-me'], fields: ['activity'] },
  { path: '/account/data', text: 'data', fields: ['data', 'deletion'] },
]

/** The frame of every page: the navigation, the language picker and the sign-out button (spec/account-centre#pages). */
export function AccountFrame({ children }: { children: ReactNode }) {
  const { path } = useBoot()
  const t = useTexts()
  const { fields, isSignedIn, problem } = useView()
  // A form sends the fragment that the skip link added to the URL. Browsers do not focus the rejected field if the
  // fragment leads somewhere, so it does not on the page that shows the problem.
  const main = problem ? 'rejected' : 'main'
  const available = links.filter(
    (link) => link.fields?.some((field) => isFieldVisible(fields, field)) ?? true,
  )
  return (
    <div className="vestibule-page account">
      <a className="account-skip" href={`#${main}`}>
        {t('skip')}
      </a>
      <header className="account-header">
        <Logo />
        {isSignedIn && (
          <form method="post" action="/account/sign-out">
            <button type="submit" className="account-action">
              {t('vestibule.sign_out')}
            </button>
          </form>
        )}
      </header>
      {isSignedIn && (
        <nav className="account-navigation" aria-label={t('title')}>
          <ul>
            {available.map(({ path: address, text, below = [] }) => (
              <li key={address}>
                <a
                  href={address}
                  aria-current={address === path ? 'page' : below.includes(path) || undefined}
                >
                  {t(text)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <main className="account-main" id={main} tabIndex={-1}>
        <Back />
        <StatusMessage />
        {children}
      </main>
      <Footer />
    </div>
  )
}

/** The link back to the application that linked to this page. */
function Back() {
  const { link } = useView()
  const t = useTexts()
  if (!link) return null
  return (
    <p>
      <a className="account-action" href={link.back}>
        {t('back_to', { application: link.application })}
      </a>
    </p>
  )
}
