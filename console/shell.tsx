import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { type AreaRow, areaRows } from './areas.ts'
import { ManagedByCodeNotice } from './managed-by-code.tsx'
import { chooseLanguage, consoleLanguages, phrases, useLanguage, useT } from './phrases.ts'
import { usePermissions } from './session/permissions.tsx'
import { signOut } from './session/session.ts'
import { chooseTheme, useTheme } from './theme.ts'
import { Button } from './ui/button.tsx'
import { useScrollToTop } from './ui/focus.ts'
import { useScrollToCurrent } from './ui/tabs.tsx'

const texts = phrases({
  en: {
    skip: 'Skip to content',
    areas: 'Areas',
    language: 'Language',
    theme: 'Theme',
    system: 'Same as system',
    signOut: 'Sign out',
  },
  de: {
    skip: 'Zum Inhalt springen',
    areas: 'Bereiche',
    language: 'Sprache',
    theme: 'Erscheinungsbild',
    system: 'Wie das System',
    signOut: 'Abmelden',
  },
})

export const isAreaVisible = ({ needs }: AreaRow, scopes: readonly string[]): boolean =>
  needs.length === 0 || scopes.includes('all') || needs.some((scope) => scopes.includes(scope))

/**
 * The navigation beside every page, with the signed-in user below it. On phones, the navigation is above the page and
 * scrolls sideways, and the user is below the page.
 */
export function Shell({ children }: { children: ReactNode }) {
  const t = useT(texts)
  const [location] = useLocation()
  const { name, scopes } = usePermissions()
  const areas = useScrollToCurrent(location)
  useScrollToTop(location)
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <aside className="side">
        <Link className="brand" href="/">
          <img src="/favicon.svg" width="24" height="24" alt="" />
          <span>Vestibule</span>
        </Link>
        <nav ref={areas} aria-label={t('areas')}>
          <ul>
            {areaRows
              .filter((row) => isAreaVisible(row, scopes))
              .map((row) => (
                <li key={row.name}>
                  <Link href={row.path} aria-current={isCurrent(location, row.path) ? 'page' : undefined}>
                    {t(row.name)}
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
      </aside>
      <main id="content">
        <ManagedByCodeNotice />
        {children}
      </main>
      <footer className="side-foot">
        <span className="who">{name}</span>
        <Preferences />
        <Button kind="quiet" onPress={signOut}>
          {t('signOut')}
        </Button>
      </footer>
    </div>
  )
}

const isCurrent = (location: string, path: string) =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)

function Preferences() {
  const t = useT(texts)
  const language = useLanguage()
  const theme = useTheme()
  return (
    <>
      <label>
        {t('language')}
        <select value={language} onChange={({ target }) => chooseLanguage(target.value)}>
          {Object.entries(consoleLanguages).map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('theme')}
        <select
          value={theme}
          onChange={({ target: { value } }) =>
            chooseTheme(value === 'light' || value === 'dark' ? value : 'system')
          }
        >
          <option value="system">{t('system')}</option>
          <option value="light">{t('light')}</option>
          <option value="dark">{t('dark')}</option>
        </select>
      </label>
    </>
  )
}
