import { useState } from 'react'
import type { z } from 'zod'
import type { ConnectorCheckResult } from '../../../src/contract/connectors.schema.ts'
import { call } from '../../api/client.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

const texts = phrases({
  en: {
    title: 'Credentials',
    lead: 'Asks the provider whether it knows the settings above, saved or not. Nothing is sent and nobody is signed in.',
    check: 'Check the credentials',
    accepted: 'The provider knows them.',
    refused: 'The provider refuses them.',
    unclear: 'The provider says neither yes nor no.',
    unreachable: 'The provider does not answer.',
    unsupported: 'This provider offers no way to ask. Use the test.',
    because: 'It says: {reason}',
  },
  de: {
    title: 'Zugangsdaten',
    lead: 'Fragt den Anbieter, ob er die Einstellungen oben kennt, gespeichert oder nicht. Nichts wird gesendet und niemand angemeldet.',
    check: 'Zugangsdaten prüfen',
    accepted: 'Der Anbieter kennt sie.',
    refused: 'Der Anbieter weist sie zurück.',
    unclear: 'Der Anbieter sagt weder ja noch nein.',
    unreachable: 'Der Anbieter antwortet nicht.',
    unsupported: 'Dieser Anbieter lässt sich nicht fragen. Probieren Sie den Konnektor aus.',
    because: 'Er sagt: {reason}',
  },
})

type Result = z.infer<typeof ConnectorCheckResult>

type CheckProps = {
  connectorId: string
  /** Calls with the configuration in the fields; a refusal is shown there, or as a notification. */
  withConfig: <T>(work: (config: Record<string, unknown>) => Promise<T>) => Promise<T | null>
}

/** What the provider says about the credentials (spec/connectors#credential-check). */
export function Check({ connectorId, withConfig }: CheckProps) {
  const t = useT(texts)
  const [result, setResult] = useState<Result | null>(null)
  const check = async () => {
    setResult(null)
    const answer = await withConfig((config) =>
      call<Result>(`/connectors/${connectorId}/check`, { method: 'POST', body: { config } }),
    )
    setResult(answer?.data ?? null)
  }
  return (
    <Card title={t('title')} lead={t('lead')}>
      <div className="actions">
        <Button onPress={check}>{t('check')}</Button>
        <span role="status">
          {result && t(result.outcome)} {result?.reason && t('because', { reason: result.reason })}
        </span>
      </div>
    </Card>
  )
}
