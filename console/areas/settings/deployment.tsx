import type { z } from 'zod'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Card, Loading } from '../../ui/page.tsx'

const texts = phrases({
  en: {
    lead: 'You can change these in wrangler.local.toml or in the Worker’s variables. Run “npm run deploy” to apply changes.',
    hosts: 'Hosts',
    hostsLead:
      'Users sign in on these hosts. Each is a separate issuer with the same keys, and an application uses one of them. HOSTS lists them.',
    address: 'Host {number}',
    ownConsole: 'The console has its own host:',
    noConsoleHost:
      'The console is available on each of these hosts. To give it a host of its own, set HOSTS:',
    retention: 'Retention',
    keeps: 'We delete log entries after {days} {days|day|days} (LOG_RETENTION_DAYS).',
    keepsAll: 'We keep log entries forever (LOG_RETENTION_DAYS is 0).',
    others:
      'We keep undelivered webhook messages for a day. The account center settings determine how long we keep deleted accounts. The platform backs up the database.',
    server: 'Server',
    version: 'Version',
    environment: 'Environment',
    production: 'production',
    development: 'development',
    database: 'Database',
    behind: '{count} {count|migration is|migrations are} missing: run “npm run deploy”.',
    secrets: 'Optional secrets that are set',
    bindings: 'Optional bindings that are set',
    nothing: 'none',
  },
  de: {
    lead: 'In wrangler.local.toml oder als Variablen des Workers gesetzt. Führen Sie „npm run deploy“ aus, um Änderungen anzuwenden.',
    hosts: 'Hosts',
    hostsLead:
      'Hier melden sich Benutzer an. Jede Adresse ist ein eigener Issuer mit denselben Schlüsseln, und eine Anwendung benutzt eine davon. Die Einträge stehen in HOSTS.',
    address: 'Adresse {number}',
    ownConsole: 'Die Konsole hat einen eigenen Host:',
    noConsoleHost: 'Die Konsole ist unter jedem davon erreichbar. HOSTS kann ihr einen eigenen Host geben:',
    retention: 'Aufbewahrung',
    keeps: 'Wir löschen Einträge des Protokolls nach {days} {days|Tag|Tagen} (LOG_RETENTION_DAYS).',
    keepsAll: 'Wir bewahren Einträge des Protokolls für immer auf (LOG_RETENTION_DAYS ist 0).',
    others:
      'Wir bewahren Webhook-Nachrichten, die nicht zugestellt werden konnten, einen Tag auf. Wie lange ein Konto bis zu seiner Löschung wartet, wird beim Kontobereich eingestellt. Die Plattform sichert die Datenbank.',
    server: 'Server',
    version: 'Version',
    environment: 'Umgebung',
    production: 'Produktion',
    development: 'Entwicklung',
    database: 'Datenbank',
    behind: 'Es {count|fehlt|fehlen} {count} {count|Migration|Migrationen}: Führen Sie „npm run deploy“ aus.',
    secrets: 'Gesetzte optionale Secrets',
    bindings: 'Gesetzte optionale Bindings',
    nothing: 'keine',
  },
})

type Report = z.output<typeof DoctorReport>

/**
 * Shows the settings of the deployment and where to change them. They are read-only here (spec/console#deployment).
 */
export default function Deployment() {
  const t = useT(texts)
  const { number } = useFormats()
  const { data, error, refetch } = useApi<Report>('/configs/doctor')
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const { origins, consoleOrigin, logRetentionDays } = data.data
  const [first = ''] = origins
  const host = new URL(first).host
  return (
    <>
      <p className="hint">{t('lead')}</p>
      <Card title={t('hosts')} lead={t('hostsLead')}>
        {origins.map((origin, at) => (
          <Copyable key={origin} label={t('address', { number: at + 1 })} value={origin} isBare />
        ))}
        <p>{t(consoleOrigin ? 'ownConsole' : 'noConsoleHost')}</p>
        <Copyable
          label="HOSTS"
          value={consoleOrigin ?? `HOSTS = "${host} admin.${host}=default/console"`}
          isBare
        />
      </Card>
      <Card title={t('retention')}>
        <p>{logRetentionDays === 0 ? t('keepsAll') : t('keeps', { days: number(logRetentionDays) })}</p>
        <p className="hint">{t('others')}</p>
      </Card>
      <Server {...data.data} />
    </>
  )
}

function Server({ version, environment, database, secrets, bindings }: Report) {
  const t = useT(texts)
  const { expected, applied } = database.migrations
  const missing = applied ? expected.filter((name) => !applied.includes(name)).length : 0
  const named = (flags: Readonly<Record<string, boolean>>) =>
    Object.keys(flags)
      .filter((name) => flags[name])
      .join(', ') || t('nothing')
  return (
    <Card title={t('server')}>
      <dl className="facts">
        <dt>{t('version')}</dt>
        <dd>{version}</dd>
        <dt>{t('environment')}</dt>
        <dd>{t(environment)}</dd>
        <dt>{t('database')}</dt>
        <dd>
          {database.kind} {missing > 0 && <span className="tag bad">{t('behind', { count: missing })}</span>}
        </dd>
        <dt>{t('secrets')}</dt>
        <dd>
          <code>{named(secrets)}</code>
        </dd>
        <dt>{t('bindings')}</dt>
        <dd>
          <code>{named(bindings)}</code>
        </dd>
      </dl>
    </Card>
  )
}
