import { Link } from 'wouter'
import type { IdentifierType } from '../../../src/contract/interactions/identifiers.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { texts } from './phrases.ts'
import type { Connector } from './settings.ts'

const missingPhrases = phrases({
  en: {
    noEmail: 'There’s no email connector yet.',
    noSms: 'There’s no text message connector yet.',
  },
  de: {
    noEmail: 'Es gibt noch keinen E-Mail-Konnektor.',
    noSms: 'Es gibt noch keinen SMS-Konnektor.',
  },
})

/**
 * Warns that no connector can send the codes to an identifier. Outside development, the API refuses to save settings
 * that need such codes.
 */
export function MissingConnector({ identifier }: { identifier: IdentifierType }) {
  const t = useT(missingPhrases, texts)
  const connectors = useApi<Connector[]>('/connectors', { isEnabled: useCan('connectors:read') })
  if (identifier === 'username' || !connectors.data) return null
  const [type, text] = identifier === 'email' ? (['Email', 'noEmail'] as const) : (['Sms', 'noSms'] as const)
  if (connectors.data.data.some((one) => one.type === type)) return null
  return (
    <p className="hint method-choices">
      {t(text)} <Link href="/connectors">{t('install')}</Link>
    </p>
  )
}
