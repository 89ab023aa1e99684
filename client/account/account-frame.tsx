import type { ReactNode } from 'react'
import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import { type AccountField, isFieldVisible } from '../../src/contract/account/account-fields.ts'
import { useBoot } from '../context/boot.tsx'
import { Logo, ProductLink } from '../layout/frame.tsx'
import { LanguagePicker } from '../layout/language-picker.tsx'
import { BackIcon, DeviceIcon, PersonIcon, ShieldIcon } from '../ui/icons.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { useTexts, useView } from './account-view.tsx'
import { ActivityIcon, AppsIcon, DataIcon, HomeIcon, OrganizationsIcon } from './icons.tsx'
import { isBelow, pageTitles, parentOf } from './page-tree.ts'
import { StatusMessage } from './parts.tsx'

/**
 * A section of the account centre. If `fields` is set, the section exists only if the tenant makes at least one of
 * those fields visible.
 */
type Section = {
  path: string
  text: AccountPhraseKey
  Icon: () => ReactNode
  fields?: readonly AccountField[]
  /** True if the section exists only for users with organisations. */
  isForOrganizations?: true
}

/** The sections below the overview, in navigation order. */
const sections: readonly Section[] = [
  { path: '/account/profile', text: 'profile', Icon: PersonIcon },
  { path: '/account/sign-in', text: 'sign_in', Icon: ShieldIcon },
  {
    path: '/account/organizations',
    text: 'organizations',
    Icon: OrganizationsIcon,
    isForOrganizations: true,
  },
  { path: '/account/sessions', text: 'sessions', Icon: DeviceIcon, fields: ['sessions'] },
  { path: '/account/applications', text: 'applications', Icon: AppsIcon, fields: ['applications'] },
  { path: '/account/activity', text: 'activity', Icon: ActivityIcon, fields: ['activity'] },
  { path: '/account/data', text: 'data', Icon: DataIcon, fields: ['data', 'deletion'] },
]
const overview: Section = { path: '/account', text: 'overview', Icon: HomeIcon }

/** Returns the sections that exist for the user. */
export function useSections(): readonly Section[] {
  const { fields, hasOrganizations } = useView()
  return sections.filter(
    (section) =>
      (hasOrganizations || !section.isForOrganizations) &&
      (section.fields?.some((field) => isFieldVisible(fields, field)) ?? true),
  )
}

/**
 * The frame of every page: the header with the language and sign-out, the navigation, and the way back
 * (spec/account-centre#frame).
 */
export function AccountFrame({ children }: { children: ReactNode }) {
  const t = useTexts()
  const { isSignedIn, problem } = useView()
  // A form sends the fragment that the skip link added to the URL. Browsers do not focus the rejected field if the
  // fragment leads somewhere, so it does not on the page that shows the problem.
  const main = problem ? 'rejected' : 'main'
  return (
    <div className="vestibule-page account">
      <a className="account-skip" href={`#${main}`}>
        {t('skip')}
      </a>
      <header className="account-header">
        <Logo />
        <LanguagePicker />
        {isSignedIn && (
          <form method="post" action="/account/sign-out">
            <button type="submit" className="account-action">
              {t('vestibule.sign_out')}
            </button>
          </form>
        )}
      </header>
      {isSignedIn && <Navigation />}
      <main className="account-main" id={main} tabIndex={-1}>
        <Back />
        <StatusMessage />
        {children}
      </main>
      <footer className="footer">
        <ProductLink />
        <SupportLink className="footer-link" />
      </footer>
    </div>
  )
}

/** The sections at the side. A phone does not show them, because its overview lists them. */
function Navigation() {
  const { path } = useBoot()
  const t = useTexts()
  const available = useSections()
  return (
    <nav className="account-navigation" aria-label={t('title')}>
      <ul>
        {[overview, ...available].map(({ path: address, text, Icon }) => (
          <li key={address}>
            <a
              href={address}
              aria-current={address === path ? 'page' : isBelow(path, address) ? 'true' : undefined}
            >
              <Icon />
              {t(text)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * The only way back: to the application that linked to this page, to the steps after unknown activity, or else to the
 * page above. On a wide screen, a page directly below the overview has none, because the navigation is beside it.
 */
function Back() {
  const { path } = useBoot()
  const { link, hasSteps, about } = useView()
  const t = useTexts()
  const parent = parentOf(path)
  const nameOf = (page: string): string => {
    const title = pageTitles[page]
    return title ? t(title) : (about ?? t('title'))
  }
  const target = link
    ? { href: link.back, text: t('back_to', { application: link.application }) }
    : hasSteps
      ? { href: '/account/not-me', text: t('not_me_back') }
      : parent && { href: parent, text: nameOf(parent) }
  if (!target) return null
  return (
    <a className="account-back" href={target.href}>
      <BackIcon />
      {target.text}
    </a>
  )
}
