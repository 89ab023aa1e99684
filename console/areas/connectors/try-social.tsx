import { useState } from 'react'
import type { z } from 'zod'
import type { LogSchema } from '../../../src/contract/logs.schema.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import type { Connector } from './config.ts'
import { useName } from './mark.tsx'

const texts = phrases({
  en: {
    title: 'Test it',
    lead: 'Opens the demonstration application in a new window. Choose “{name}” on the sign-in page there, and sign in at the provider; the window then shows who you are. What came back is listed here.',
    notOffered: 'Show the connector on the sign-in page first.',
    open: 'Open a sign-in',
    none: 'No sign-in with this connector yet.',
    success: 'came back with an account',
    failure: 'failed: {error}',
    refresh: 'Look again',
  },
  de: {
    title: 'Ausprobieren',
    lead: 'Öffnet die Beispielanwendung in einem neuen Fenster. Wählen Sie dort auf der Anmeldeseite „{name}“ und melden Sie sich beim Anbieter an; danach zeigt das Fenster, wer Sie sind. Was zurückkam, steht hier.',
    notOffered: 'Zeigen Sie den Konnektor zuerst auf der Anmeldeseite an.',
    open: 'Anmeldung öffnen',
    none: 'Mit diesem Konnektor hat sich noch niemand angemeldet.',
    success: 'kam mit einem Konto zurück',
    failure: 'ging nicht: {error}',
    refresh: 'Noch einmal nachsehen',
  },
})

type Log = z.infer<typeof LogSchema>

/** What the log says about an account that a provider answered with (spec/management#audit-log). */
const CAME_BACK = 'Interaction.SignIn.Identifier.Social.Submit'
const MOST_SHOWN = 5
const PAGE_SIZE = 100

/** A real sign-in at the provider, by the pages that users see, and what the server says came back. */
export function TrySocial({ connector, isOffered }: { connector: Connector; isOffered: boolean }) {
  const t = useT(texts)
  const nameOf = useName()
  const mayReadLog = useMay('logs:read')
  const [wasOpened, setOpened] = useState(false)
  const open = () => {
    window.open('/demo-app', '_blank', 'noopener')
    setOpened(true)
  }
  return (
    <Card title={t('title')} lead={t('lead', { name: nameOf(connector) })}>
      {!isOffered && <p className="hint">{t('notOffered')}</p>}
      <div className="actions">
        <Button isDisabled={!isOffered} onPress={open}>
          {t('open')}
        </Button>
      </div>
      {mayReadLog && <CameBack key={String(wasOpened)} connectorId={connector.id} />}
    </Card>
  )
}

function CameBack({ connectorId }: { connectorId: string }) {
  const t = useT(texts)
  const { time } = useFormats()
  // Read again when the window is in front again: the test runs in another one.
  const { data, refetch } = useApi<Log[]>('/logs', { query: { logKey: CAME_BACK, page_size: PAGE_SIZE } })
  const seen = (data?.data ?? []).filter(({ payload }) => payload.connectorId === connectorId)
  return (
    <div className="events">
      <ul className="events" aria-live="polite">
        {seen.slice(0, MOST_SHOWN).map(({ id, createdAt, payload }) => (
          <li key={id}>
            <span>{time(createdAt)}</span>
            <strong>
              {payload.result === 'Success' ? t('success') : t('failure', { error: errorOf(payload) })}
            </strong>
          </li>
        ))}
      </ul>
      {data && seen.length === 0 && <p className="hint">{t('none')}</p>}
      <div className="actions">
        <Button kind="quiet" onPress={() => refetch()}>
          {t('refresh')}
        </Button>
      </div>
    </div>
  )
}

const errorOf = ({ error }: Log['payload']): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error ?? '')
