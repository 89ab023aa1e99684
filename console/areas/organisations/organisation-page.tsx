import { type ComponentType, lazy, Suspense } from 'react'
import { useEntityForm } from '../../api/entity-form.ts'
import { NotFound } from '../../not-found.tsx'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { DeleteButton } from '../../ui/dialog-button.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Organization, OrganizationForm } from './organisation.ts'
import { OrganizationSettings } from './organisation-settings.tsx'
import { settingPhrases } from './setting-phrases.ts'

const lists: Record<'members' | 'services' | 'invitations' | 'domains', ComponentType<{ id: string }>> = {
  members: lazy(() => import('./members.tsx')),
  services: lazy(() => import('./service-list.tsx')),
  invitations: lazy(() => import('./invitations.tsx')),
  domains: lazy(() => import('./domains.tsx')),
}

const Activity = lazy(async () => ({ default: (await import('../log/log-table.tsx')).LogTable }))

const parts = ['settings', 'members', 'services', 'invitations', 'domains', 'activity'] as const

const texts = phrases({
  en: {
    parts: 'Parts of the organization',
    id: 'Organization ID',
    members: 'Members',
    services: 'Services',
    invitations: 'Invitations',
    domains: 'Domains',
    noActivity: 'Nothing has happened in this organization yet.',
    deleteTitle: 'Delete the organization {name}?',
    deleteLead:
      'Its memberships, invitations and domains are deleted, and applications lose access to it. Its members keep their accounts. You can’t undo this.',
    isDeleted: 'The organization was deleted',
  },
  de: {
    parts: 'Teile der Organisation',
    id: 'ID der Organisation',
    members: 'Mitglieder',
    services: 'Dienste',
    invitations: 'Einladungen',
    domains: 'Domains',
    noActivity: 'In dieser Organisation ist noch nichts geschehen.',
    deleteTitle: 'Die Organisation {name} löschen?',
    deleteLead:
      'Ihre Mitgliedschaften, Einladungen und Domains werden gelöscht, und Anwendungen verlieren den Zugriff auf sie. Die Mitglieder behalten ihre Konten. Das lässt sich nicht rückgängig machen.',
    isDeleted: 'Die Organisation wurde gelöscht',
  },
})

/** The page of one organisation. Each of its parts has its own URL and reads only the data that it shows. */
export default function OrganizationPage({ id, part }: { id: string; part: string }) {
  const t = useT(texts)
  const nameOf = useFieldNames([settingPhrases])
  const mayWrite = useCan('organizations:write')
  const mayReadLog = useCan('logs:read')
  const path = `/organizations/${encodeURIComponent(id)}`
  const form = useEntityForm<Organization>(path)
  const readable = parts.filter((each) => each !== 'activity' || mayReadLog)
  const openPart = readable.find((each) => each === part)
  if (!openPart) return <NotFound />
  if (!form.value || !form.stored) return <Loading failure={form.failure} onRetry={form.retry} />
  const { name } = form.stored
  return (
    <Page
      title={name}
      parent={{ href: '/organizations', title: t('organizations') }}
      actions={
        mayWrite && (
          <DeleteButton
            title={t('deleteTitle', { name })}
            lead={t('deleteLead')}
            confirmationText={name}
            path={path}
            back="/organizations"
            confirmation={t('isDeleted')}
          />
        )
      }
    >
      <Copyable label={t('id')} value={id} />
      <Tabs
        label={t('parts')}
        tabs={readable.map((each) => ({
          href: each === 'settings' ? `/organizations/${id}` : `/organizations/${id}/${each}`,
          title: t(each),
        }))}
      />
      <Suspense fallback={<Loading />}>
        <PartContent part={openPart} id={id} form={form} />
      </Suspense>
      <SaveBar form={form} isSetting={false} nameOf={nameOf} />
    </Page>
  )
}

type PartProps = { part: (typeof parts)[number]; id: string; form: OrganizationForm }

function PartContent({ part, id, form }: PartProps) {
  const t = useT(texts)
  switch (part) {
    case 'settings':
      return <OrganizationSettings form={form} />
    case 'activity':
      return <Activity filter={{ organizationId: id }} empty={t('noActivity')} />
    case 'members':
    case 'services':
    case 'invitations':
    case 'domains': {
      const List = lists[part]
      return <List id={id} />
    }
  }
}
