import { useEffect } from 'react'
import type { SignInTestStart } from '../../../src/contract/social/sign-in-tests.schema.ts'
import { call } from '../../api/client.ts'
import { useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import type { Connector } from './config.ts'
import type { ConnectorForm } from './connector-form.ts'
import { useConnectorName } from './mark.tsx'
import { texts } from './test-phrases.ts'

type SignInTestProps = { connector: Connector; form: ConnectorForm }

/** A sign-in at the provider that signs nobody in (spec/connectors#sign-in-test), in this tab: like one of a user, it comes back. */
export function SignInTest({ connector, form }: SignInTestProps) {
  const t = useT(texts)
  const name = useConnectorName()(connector)
  const begin = async () => {
    // It is a test of what is stored, and a secret that was typed would not survive the way.
    if (form.isConfigChanged && !(await form.save())) return
    const at = `/connectors/${connector.id}/sign-in-tests`
    const { data } = await call<SignInTestStart>(at, { method: 'POST' })
    window.location.assign(data.uri)
  }
  return (
    <Card title={t('testIt')} lead={t('lead', { name })}>
      <div className="actions">
        <Button kind="primary" isDisabled={form.isSaving} onPress={begin}>
          {t(form.isConfigChanged ? 'saveAndOpen' : 'open')}
        </Button>
      </div>
      <p className="hint">{t('stays', { name })}</p>
    </Card>
  )
}

/** A provider may answer in the fragment of the address, which no server sees: it is sent to the callback once more as a query. */
export function useFragmentAnswer(connectorId: string): void {
  useEffect(() => {
    const answer = window.location.hash.slice(1)
    if (!new URLSearchParams(answer).has('state')) return
    window.location.replace(`${apiOrigin}/callback/${encodeURIComponent(connectorId)}?${answer}`)
  }, [connectorId])
}
