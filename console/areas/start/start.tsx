import { phrases, useT } from '../../phrases.ts'
import { Page } from '../../ui/page.tsx'

const texts = phrases({
  en: { title: 'Start', lead: 'What this deployment still needs.' },
  de: { title: 'Start', lead: 'Was dieser Installation noch fehlt.' },
})

export default function Start() {
  const t = useT(texts)
  return (
    <Page title={t('title')} lead={t('lead')}>
      <p />
    </Page>
  )
}
