import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { ResourceSchema } from '../../../src/contract/access/resources.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { AccessTabs } from './access-tabs.tsx'
import { texts } from './phrases.ts'
import { isBuiltIn } from './role-permissions.tsx'

export type Api = z.infer<typeof ResourceSchema>

export function ApiList() {
  const t = useT(texts)
  const mayWrite = useMay('roles:write')
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title={t('access')}
      lead={t('lead')}
      actions={
        mayWrite && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            {t('newApi')}
          </Button>
        )
      }
    >
      <AccessTabs />
      <PagedTable<Api>
        path="/resources"
        label={t('apis')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('name'),
            cell: ({ id, name }) => (
              <>
                <Link href={`/access/apis/${id}`}>{name}</Link>{' '}
                {isBuiltIn(id) && <span className="tag">{t('builtIn')}</span>}
              </>
            ),
          },
          {
            title: t('identifier'),
            cell: ({ indicator }) => <code>{indicator}</code>,
            isHiddenOnPhones: true,
          },
        ]}
      />
      {isCreating && <NewApi onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NewApi({ onClose }: { onClose: () => void }) {
  const t = useT(texts)
  const change = useChange()
  const [, go] = useLocation()
  return (
    <CreateDialog
      title={t('newApi')}
      action={t('create')}
      fields={[
        { name: 'name', label: t('name') },
        { name: 'indicator', label: t('identifier'), hint: t('identifierHint'), isCode: true },
      ]}
      onClose={onClose}
      onCreate={async (body) => {
        const { data } = await change<Api>('/resources', { method: 'POST', body })
        go(`/access/apis/${data.id}`)
      }}
    />
  )
}
