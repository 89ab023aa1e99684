import { useState } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import type { Application } from './application.ts'
import { kindOf } from './kinds.ts'
import { texts } from './phrases.ts'

const PAGE_SIZE = 20

/** No application has this id: the character is in none. */
export const NEW = '/applications/~new'

export function ApplicationList() {
  const t = useT(texts)
  const { date } = useFormats()
  const mayWrite = useMay('applications:write')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useApi<Application[]>('/applications', {
    query: { page, page_size: PAGE_SIZE },
  })
  const create = mayWrite && (
    <ButtonLink kind="primary" href={NEW}>
      {t('create')}
    </ButtonLink>
  )
  return (
    <Page title={t('title')} lead={t('lead')} actions={create}>
      {data ? (
        <>
          <Table
            label={t('title')}
            rows={data.data}
            keyOf={({ id }) => id}
            empty={<p>{t('none')}</p>}
            columns={[
              { title: t('name'), cell: ({ id, name }) => <Link href={`/applications/${id}`}>{name}</Link> },
              { title: t('kind'), cell: (application) => t(kindOf(application)) },
              { title: t('id'), cell: ({ id }) => <code>{id}</code>, isHiddenOnPhones: true },
              { title: t('created'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
            ]}
          />
          <Pager page={page} pageSize={PAGE_SIZE} {...data} length={data.data.length} onPage={setPage} />
        </>
      ) : (
        <Loading failure={error} onRetry={refetch} />
      )}
    </Page>
  )
}
