import { Link } from 'wouter'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import type { Application } from './application.ts'
import { findKind } from './kinds.ts'
import { texts } from './phrases.ts'

/** No application has this id, because ids contain no tilde. */
export const NEW_APPLICATION_PATH = '/applications/~new'

export function ApplicationList() {
  const t = useT(texts)
  const { date } = useFormats()
  const mayWrite = useCan('applications:write')
  const create = mayWrite && (
    <ButtonLink kind="primary" href={NEW_APPLICATION_PATH}>
      {t('create')}
    </ButtonLink>
  )
  return (
    <Page title={t('applications')} lead={t('lead')} actions={create}>
      <PagedTable<Application>
        path="/applications"
        label={t('applications')}
        keyOf={({ id }) => id}
        empty={<p>{t('none')}</p>}
        columns={[
          { title: t('name'), cell: ({ id, name }) => <Link href={`/applications/${id}`}>{name}</Link> },
          { title: t('kind'), cell: (application) => t(findKind(application)) },
          { title: t('clientId'), cell: ({ id }) => <code>{id}</code>, isHiddenOnPhones: true },
          { title: t('created'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
        ]}
      />
    </Page>
  )
}
