import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { ConnectorCheckResult } from '../../../src/contract/connectors.schema.ts'
import { call } from '../../api/client.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'

const texts = phrases({
  en: {
    title: 'Credentials',
    lead: 'Whether the provider knows the settings below, saved or not. Nothing is sent and nobody is signed in.',
    check: 'Check the credentials',
    asking: 'The provider is asked …',
    accepted: 'The provider knows the credentials.',
    refused: 'The provider refuses the credentials.',
    refusedDo:
      'The connector does not work like this. Compare them with what the provider shows, letter by letter, enter the right ones below and save: they are checked again then.',
    unclear: 'The provider neither confirms nor refuses the credentials.',
    unclearDo: 'Test it to be sure.',
    unreachable: 'The provider does not answer.',
    unreachableDo: 'Look at the addresses below, if you have set any. Else try again in a minute.',
    unsupported: 'This provider offers no way to check credentials.',
    unsupportedDo: 'Test it: that shows whether they are right.',
    because: 'The provider says: {reason}',
  },
  de: {
    title: 'Zugangsdaten',
    lead: 'Ob der Anbieter die Einstellungen unten kennt, gespeichert oder nicht. Nichts wird gesendet und niemand angemeldet.',
    check: 'Zugangsdaten prüfen',
    asking: 'Der Anbieter wird gefragt …',
    accepted: 'Der Anbieter kennt die Zugangsdaten.',
    refused: 'Der Anbieter lehnt die Zugangsdaten ab.',
    refusedDo:
      'So funktioniert der Konnektor nicht. Vergleichen Sie sie Zeichen für Zeichen mit dem, was der Anbieter anzeigt, tragen Sie unten die richtigen ein und speichern Sie: Dann werden sie erneut geprüft.',
    unclear: 'Der Anbieter bestätigt die Zugangsdaten nicht und lehnt sie nicht ab.',
    unclearDo: 'Testen Sie den Konnektor, um sicher zu sein.',
    unreachable: 'Der Anbieter antwortet nicht.',
    unreachableDo:
      'Sehen Sie sich die Adressen unten an, falls Sie welche eingestellt haben. Sonst versuchen Sie es in einer Minute erneut.',
    unsupported: 'Bei diesem Anbieter lassen sich Zugangsdaten nicht prüfen.',
    unsupportedDo: 'Testen Sie den Konnektor: Das zeigt, ob sie stimmen.',
    because: 'Der Anbieter sagt: {reason}',
  },
})

type Result = z.infer<typeof ConnectorCheckResult>
type Verdict = Result | 'asking' | null

/** What the provider says about credentials (spec/connectors#credential-check): about the stored ones, or about those in the form. */
export function useCredentialCheck(connectorId: string) {
  const notify = useNotify()
  const [verdict, setVerdict] = useState<Verdict>(null)
  const latest = useRef(0)
  async function check(config?: Record<string, unknown>): Promise<void> {
    const asked = ++latest.current
    const settle = (next: Verdict) => {
      if (asked === latest.current) setVerdict(next)
    }
    setVerdict('asking')
    try {
      const body = config ? { config } : {}
      const { data } = await call<Result>(`/connectors/${connectorId}/check`, { method: 'POST', body })
      settle(data)
    } catch (error) {
      settle(null)
      if (config) throw error
      notify.failure(error)
    }
  }
  /** It is about other credentials than those that are there now; so is an answer that is still to come. */
  function forget(): void {
    latest.current += 1
    setVerdict(null)
  }
  return { verdict, check, forget }
}

const advice = {
  accepted: null,
  refused: 'refusedDo',
  unclear: 'unclearDo',
  unreachable: 'unreachableDo',
  unsupported: 'unsupportedDo',
} as const

/** A refusal comes into view by itself: it is asked for after a save, too. */
export function Credentials({ verdict, onCheck }: { verdict: Verdict; onCheck: () => void }) {
  const t = useT(texts)
  const result = verdict === 'asking' ? null : verdict
  const isRefused = result?.outcome === 'refused'
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isRefused) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isRefused])
  const todo = result && advice[result.outcome]
  return (
    <div className={isRefused ? 'verdict bad' : 'verdict'} ref={place}>
      <Card title={t('title')}>
        <div role={isRefused ? 'alert' : 'status'}>
          {result ? (
            <>
              <p className={`said ${result.outcome}`}>
                {t(result.outcome)} {result.reason && t('because', { reason: result.reason })}
              </p>
              {todo && <p>{t(todo)}</p>}
            </>
          ) : (
            <p className="hint">{t(verdict === 'asking' ? 'asking' : 'lead')}</p>
          )}
        </div>
        <div className="actions">
          <Button isDisabled={verdict === 'asking'} onPress={onCheck}>
            {t('check')}
          </Button>
        </div>
      </Card>
    </div>
  )
}
