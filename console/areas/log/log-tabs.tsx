import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { texts } from './phrases.ts'

export function LogTabs() {
  const t = useT(texts)
  if (!useCan('applications:read')) return null
  return (
    <Tabs
      label={t('log')}
      tabs={[
        { href: '/log', title: t('entries') },
        { href: '/log/failed-requests', title: t('failedRequests') },
      ]}
    />
  )
}
