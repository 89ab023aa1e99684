import { useState } from 'react'
import { call } from '../../api/client.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import type { Factory } from './config.ts'

const texts = phrases({
  en: {
    lead: 'Send a message with the code 000000. We use the settings on this page, even if you haven’t saved them.',
    email: 'Send to this address',
    phone: 'Send to this number',
    phoneHint: 'With the country code, but without +, such as 4915112345678.',
    sent: 'The provider accepted the message to {to}.',
  },
  de: {
    lead: 'Sendet eine Nachricht mit dem Code 000000 mit den Einstellungen auf dieser Seite, gespeichert oder nicht.',
    email: 'An diese Adresse senden',
    phone: 'An diese Nummer senden',
    phoneHint: 'Mit Ländervorwahl und ohne +, etwa 4915112345678.',
    sent: 'Der Anbieter hat die Nachricht an {to} angenommen.',
  },
})

type TryMessageProps = {
  factory: Pick<Factory, 'id' | 'type'>
  /**
   * Calls the function with the configuration in the fields. Problems are shown next to the fields or in a
   * notification.
   */
  withConfig: <T>(work: (config: Record<string, unknown>) => Promise<T>) => Promise<T | null>
}

/** Lets the administrator send a message to their own address through the provider. */
export function TryMessage({ factory, withConfig }: TryMessageProps) {
  const t = useT(texts)
  const [to, setTo] = useState('')
  const [sentTo, setSentTo] = useState('')
  const isMail = factory.type === 'Email'
  const send = async () => {
    setSentTo('')
    const sent = await withConfig((config) =>
      call(`/connectors/${factory.id}/test`, {
        method: 'POST',
        body: { config, [isMail ? 'email' : 'phone']: to.trim() },
      }),
    )
    if (sent) setSentTo(to.trim())
  }
  return (
    <Card title={t('testIt')} lead={t('lead')}>
      <TextField
        label={t(isMail ? 'email' : 'phone')}
        hint={isMail ? undefined : t('phoneHint')}
        type={isMail ? 'email' : 'tel'}
        value={to}
        onChange={setTo}
      />
      <div className="actions">
        <Button isDisabled={to.trim() === ''} onPress={send}>
          {t('testMessage')}
        </Button>
        <span role="status">{sentTo && t('sent', { to: sentTo })}</span>
      </div>
    </Card>
  )
}
