import type { ReactNode } from 'react'
import { useT } from '../../phrases.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { texts } from './phrases.ts'

/** The heading and tabs around each list of the area. */
export function AccessPage({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  const t = useT(texts)
  return (
    <Page title={t('access')} lead={t('lead')} actions={actions}>
      <Tabs
        label={t('access')}
        tabs={[
          { href: '/access', title: t('roles') },
          { href: '/access/apis', title: t('apis') },
          { href: '/access/administrators', title: t('administrators') },
        ]}
      />
      {children}
    </Page>
  )
}
