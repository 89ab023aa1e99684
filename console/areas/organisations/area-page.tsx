import type { ReactNode } from 'react'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'

const texts = phrases({
  en: {
    lead: 'An organization is a group of users, such as a customer of yours. Members act for it in applications.',
    organizationScopes: 'Organization scopes',
  },
  de: {
    lead: 'Eine Organisation ist eine Gruppe von Benutzern, etwa ein Kunde von Ihnen. Mitglieder handeln in Anwendungen für sie.',
    organizationScopes: 'Scopes für Organisationen',
  },
})

/** The heading and tabs around each list of the area. */
export function AreaPage({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  const t = useT(texts)
  const mayReadRoles = useCan('roles:read')
  return (
    <Page title={t('organizations')} lead={t('lead')} actions={actions}>
      {mayReadRoles && (
        <Tabs
          label={t('organizations')}
          tabs={[
            { href: '/organizations', title: t('organizations') },
            { href: '/organizations/~roles', title: t('roles') },
            { href: '/organizations/~scopes', title: t('organizationScopes') },
          ]}
        />
      )}
      {children}
    </Page>
  )
}
