import { useT } from '../../phrases.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { texts } from './phrases.ts'

export function AccessTabs() {
  const t = useT(texts)
  return (
    <Tabs
      label={t('access')}
      tabs={[
        { href: '/access', title: t('roles') },
        { href: '/access/apis', title: t('apis') },
        { href: '/access/administrators', title: t('administrators') },
      ]}
    />
  )
}
