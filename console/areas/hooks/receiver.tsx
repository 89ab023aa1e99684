import { useT } from '../../phrases.ts'
import { Card } from '../../ui/page.tsx'
import { escapeForCode } from '../applications/application.ts'
import { GuideChoice } from '../applications/guide-choice.tsx'
import type { Hook } from './hook-list.tsx'
import { texts } from './phrases.ts'

/** Shows code that receives the messages of the webhook and verifies their signatures. */
export default function Receiver({ hook }: { hook: Hook }) {
  const t = useT(texts)
  const values = {
    issuer: '',
    clientId: '',
    redirectUris: [],
    afterSignOut: [],
    api: null,
    hookUrl: escapeForCode(hook.config.url),
  }
  return (
    <Card title={t('receive')} lead={t('receiveLead')}>
      <GuideChoice kind="webhook" values={values} />
    </Card>
  )
}
