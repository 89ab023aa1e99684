import { useState } from 'react'
import type { z } from 'zod'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import { call } from '../../api/client.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import type { Connector, Factory } from './config.ts'
import { failureTexts } from './failure-phrases.ts'
import { useConnectorName } from './mark.tsx'
import { describeVerdict, isFailure, type Verdict } from './verdict.ts'
import { verdictTexts } from './verdict-phrases.ts'

const texts = phrases({
  en: {
    question: 'Install it although the check failed?',
    replacesAnyway: 'If you install it, messages fail until you correct the settings.',
    installAnyway: 'Install anyway',
    effect: 'What happens when you install it',
    effectChecked: 'First, we check whether the provider can be reached and accepts the credentials.',
    leavesInbox:
      'Until now, these messages only go to the development inbox at /dev/inbox. From then on, they’re really sent and no longer appear there. If you remove the connector, the inbox gets them again.',
    replacesOther: 'It replaces {name}, whose settings and secrets are deleted.',
    thenTest: 'Afterwards, send a test message from the connector’s page.',
  },
  de: {
    question: 'Trotz fehlgeschlagener Prüfung installieren?',
    replacesAnyway:
      'Wenn Sie ihn installieren, schlagen Nachrichten fehl, bis Sie die Einstellungen korrigieren.',
    installAnyway: 'Trotzdem installieren',
    effect: 'Was beim Installieren geschieht',
    effectChecked: 'Zuerst wird geprüft, ob der Anbieter erreichbar ist und die Zugangsdaten annimmt.',
    leavesInbox:
      'Bisher landen diese Nachrichten nur im Posteingang für Entwickler unter /dev/inbox. Ab dann werden sie wirklich verschickt und erscheinen dort nicht mehr. Wenn Sie den Konnektor entfernen, landen sie wieder im Posteingang.',
    replacesOther: 'Er ersetzt {name}. Dessen Einstellungen und Secrets werden gelöscht.',
    thenTest: 'Senden Sie danach auf der Seite des Konnektors eine Testnachricht.',
  },
})

type Config = Record<string, unknown>

/** Checks the configuration of a new message connector, and keeps the result until the administrator has answered. */
export function useInstallCheck(factory: Factory) {
  const [failed, setFailed] = useState<Verdict | null>(null)
  return {
    failed,
    close: () => setFailed(null),
    /** Returns whether to install the connector without asking. */
    async passes(config: Config): Promise<boolean> {
      if (factory.type === 'Social') return true
      const path = `/connector-factories/${factory.id}/check`
      const { data } = await call<Verdict>(path, { method: 'POST', body: { config } })
      setFailed(isFailure(data) ? data : null)
      return !isFailure(data)
    },
  }
}

type FailedCheckProps = { verdict: Verdict; onInstall: () => Promise<unknown>; onClose: () => void }

/** Asks whether to install a connector whose messages would fail. */
export function FailedCheck({ verdict, onInstall, onClose }: FailedCheckProps) {
  const t = useT(texts, verdictTexts, failureTexts)
  const { phrase, word } = describeVerdict(verdict)
  const sentences = [t(phrase), ...(word ? [t('because', { reason: word })] : []), t('replacesAnyway')]
  return (
    <ConfirmDialog
      title={t('question')}
      lead={sentences.join(' ')}
      action={t('installAnyway')}
      onConfirm={onInstall}
      onClose={onClose}
    />
  )
}

/** Says what the installation of a message connector changes, in particular for the development inbox. */
export function InstallEffect({ factory, installed }: { factory: Factory; installed: readonly Connector[] }) {
  const t = useT(texts)
  const nameOf = useConnectorName()
  const { data } = useApi<z.output<typeof DoctorReport>>('/configs/doctor', {
    isEnabled: useCan('settings:read'),
  })
  const other = installed.find(({ type }) => type === factory.type)
  const isInbox = !other && data?.data.environment === 'development'
  return (
    <Card title={t('effect')}>
      <p>{t('effectChecked')}</p>
      {other && <p>{t('replacesOther', { name: nameOf(other) })}</p>}
      {isInbox && <p>{t('leavesInbox')}</p>}
      <p>{t('thenTest')}</p>
    </Card>
  )
}
