import type { ReactNode } from 'react'
import { phrases, useT } from './phrases.ts'
import { useMay } from './session/permissions.tsx'
import type { ManagementScope } from './session/scopes.ts'
import { ButtonLink } from './ui/button.tsx'
import { Page } from './ui/page.tsx'

const texts = phrases({
  en: {
    title: 'Page not found',
    lead: 'There is no such page, or your roles do not allow it.',
    start: 'To the start page',
  },
  de: {
    title: 'Seite nicht gefunden',
    lead: 'Diese Seite gibt es nicht, oder Ihre Rollen erlauben sie nicht.',
    start: 'Zur Startseite',
  },
})

export function NotFound() {
  const t = useT(texts)
  return (
    <Page title={t('title')} lead={t('lead')}>
      <p>
        <ButtonLink kind="primary" href="/">
          {t('start')}
        </ButtonLink>
      </p>
    </Page>
  )
}

/** A page that does nothing but change something: to users who may not, it is not there. */
export function ForWriters({ scope, children }: { scope: ManagementScope; children: ReactNode }) {
  return useMay(scope) ? children : <NotFound />
}
