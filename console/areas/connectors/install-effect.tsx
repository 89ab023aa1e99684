import type { z } from 'zod'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Card } from '../../ui/page.tsx'
import type { Connector, Factory } from './config.ts'
import { useConnectorName } from './mark.tsx'

const texts = phrases({
  en: {
    effect: 'What happens when you install it',
    effectChecked: 'First, we check whether the provider can be reached and accepts the credentials.',
    leavesInbox:
      'Until now, these messages only go to the development inbox at /dev/inbox. From then on, they’re really sent and no longer appear there. If you remove the connector, the inbox gets them again.',
    replacesOther: 'It replaces {name}, whose settings and secrets are deleted.',
    thenTest: 'Afterwards, send a test message from the connector’s page.',
  },
  de: {
    effect: 'Was beim Installieren geschieht',
    effectChecked: 'Zuerst wird geprüft, ob der Anbieter erreichbar ist und die Zugangsdaten annimmt.',
    leavesInbox:
      'Bisher landen diese Nachrichten nur im Posteingang für Entwickler unter /dev/inbox. Ab dann werden sie wirklich verschickt und erscheinen dort nicht mehr. Wenn Sie den Konnektor entfernen, landen sie wieder im Posteingang.',
    replacesOther: 'Er ersetzt {name}. Dessen Einstellungen und Secrets werden gelöscht.',
    thenTest: 'Senden Sie danach auf der Seite des Konnektors eine Testnachricht.',
  },
})

type InstallEffectProps = { factory: Factory; installed: readonly Connector[] }

/** Says what the installation of a message connector changes, in particular for the development inbox. */
export default function InstallEffect({ factory, installed }: InstallEffectProps) {
  const t = useT(texts)
  const nameOf = useConnectorName()
  const { data } = useApi<z.output<typeof DoctorReport>>('/configs/doctor', {
    isEnabled: useCan('settings:read'),
  })
  const other = installed.find(({ type }) => type === factory.type)
  const isInbox = !other && data?.data.environment === 'development'
  return (
    <Card title={t('effect')}>
      {factory.hasCheck && <p>{t('effectChecked')}</p>}
      {other && <p>{t('replacesOther', { name: nameOf(other) })}</p>}
      {isInbox && <p>{t('leavesInbox')}</p>}
      <p>{t('thenTest')}</p>
    </Card>
  )
}
