import { useEffect } from 'react'
import type { SignInTestStart } from '../../../src/contract/social/sign-in-tests.schema.ts'
import { call } from '../../api/client.ts'
import { phrases, useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import type { Connector } from './config.ts'
import type { ConnectorForm } from './connector-form.ts'
import { useConnectorName } from './mark.tsx'

const texts = phrases({
  en: {
    lead: 'Takes you to {name} to sign in with your own account, then back here with the result. This doesn’t sign anyone in here, and it works before users can see the button.',
    open: 'Test the sign-in',
    saveAndOpen: 'Save and test sign-in',
    stays:
      'If {name} shows an error instead of its sign-in page, such as “redirect_uri_mismatch”, the callback URL registered there differs from the one in the guide.',
  },
  de: {
    lead: 'Führt zu {name}, wo Sie sich mit Ihrem eigenen Konto anmelden, und mit dem Ergebnis wieder hierher. Hier wird niemand angemeldet, und Benutzer müssen den Button noch nicht sehen.',
    open: 'Anmeldung testen',
    saveAndOpen: 'Speichern und Anmeldung testen',
    stays:
      'Zeigt {name} statt der Anmeldung einen Fehler, etwa „redirect_uri_mismatch“, dann ist dort eine andere Callback-Adresse eingetragen als die in der Anleitung.',
  },
})

type SignInTestProps = { connector: Connector; form: ConnectorForm }

/**
 * Starts a test sign-in at the provider, which doesn't sign anyone in (spec/connectors#sign-in-test). It runs in this
 * tab and returns here, like a user's sign-in.
 */
export function SignInTest({ connector, form }: SignInTestProps) {
  const t = useT(texts)
  const name = useConnectorName()(connector)
  const begin = async () => {
    // The test uses the stored configuration, so changes are saved first. Leaving the page without saving would also
    // discard a newly typed secret.
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

/**
 * Forwards a response in the URL's fragment to the callback as a query, because browsers don't send fragments to
 * servers.
 */
export function useFragmentResponse(connectorId: string): void {
  useEffect(() => {
    const answer = window.location.hash.slice(1)
    if (!new URLSearchParams(answer).has('state')) return
    window.location.replace(`${apiOrigin}/callback/${encodeURIComponent(connectorId)}?${answer}`)
  }, [connectorId])
}
