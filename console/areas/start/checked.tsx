import { phrases, useLanguage, useT } from '../../phrases.ts'
import { findPassedChecks } from './fine.ts'
import { findCheckedParts, type StartFacts } from './lacks.ts'
import { texts } from './phrases.ts'

const passedTexts = phrases({
  en: {
    application: 'There’s at least one application.',
    mail: 'An email connector is installed.',
    brand: 'The sign-in page has your brand.',
    administrators: 'All administrators need a second factor.',
    signIn: 'Users can sign in, and the sign-in settings are consistent.',
    kv: 'Sign-ins can be stored.',
    migrations: 'The database is up to date.',
    connector: 'The installed connectors are complete, and their last messages were sent.',
    environment: 'The deployment runs in production mode.',
    hosts: 'HOSTS is set.',
    secrets: 'No previous root secret is set.',
    applicationSecrets: 'Application secrets are encrypted.',
    keys: 'We can read the applications’ keys.',
    clients: 'Unregistered clients can’t request every API.',
    floods: 'The platform’s rate limits are set up.',
    uploads: 'Storage for uploads works.',
    passkeys: 'Passkeys work on every host.',
    secondFactor: 'Every user can meet the second-factor policy.',
  },
  de: {
    application: 'Es gibt eine Anwendung.',
    mail: 'Ein Konnektor für E-Mails ist installiert.',
    brand: 'Die Anmeldeseite zeigt Ihre Marke.',
    administrators: 'Alle Administratoren brauchen einen zweiten Faktor.',
    signIn: 'Benutzer können sich anmelden, und die Einstellungen der Anmeldung passen zusammen.',
    kv: 'Anmeldungen lassen sich speichern.',
    migrations: 'Die Datenbank ist auf dem neuesten Stand.',
    connector:
      'Die installierten Konnektoren sind vollständig, und ihre letzten Nachrichten wurden gesendet.',
    environment: 'Die Installation läuft im Produktionsmodus.',
    hosts: 'HOSTS nennt die Hosts.',
    secrets: 'Es ist kein vorheriges Root-Secret gesetzt.',
    applicationSecrets: 'Secrets von Anwendungen sind verschlüsselt.',
    keys: 'Die Schlüssel von Anwendungen sind lesbar.',
    clients: 'Nicht registrierte Clients können nicht jede API anfordern.',
    floods: 'Die Rate-Limits der Plattform sind eingerichtet.',
    uploads: 'Der Speicher für Uploads funktioniert.',
    passkeys: 'Passkeys funktionieren unter jedem Host.',
    secondFactor: 'Jeder Benutzer kann die Richtlinie für den zweiten Faktor erfüllen.',
  },
})

/** Lists the checks that passed, and the parts that could not be checked. */
export function PassedChecks({ facts }: { facts: StartFacts }) {
  const t = useT(texts, passedTexts)
  const fine = findPassedChecks(facts)
  return (
    <>
      {fine.length > 0 && (
        <details className="checked">
          <summary>{t('fine', { count: fine.length })}</summary>
          <ul>
            {fine.map((name) => (
              <li key={name}>{t(name)}</li>
            ))}
          </ul>
        </details>
      )}
      <Unchecked facts={facts} />
    </>
  )
}

function Unchecked({ facts }: { facts: StartFacts }) {
  const t = useT(texts)
  const list = new Intl.ListFormat(useLanguage())
  const { deployment, applications, connectors, brand } = findCheckedParts(facts)
  const parts = [
    [deployment, t('deployment')],
    [applications, t('applications')],
    [connectors, t('connectors')],
    [brand, t('branding')],
  ] as const
  const unchecked = parts.filter(([isChecked]) => !isChecked).map(([, name]) => name)
  if (unchecked.length === 0) return null
  return <p className="hint">{t('notChecked', { parts: list.format(unchecked) })}</p>
}
