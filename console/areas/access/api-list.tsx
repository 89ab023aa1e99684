import { Link } from 'wouter'
import type { z } from 'zod'
import type { ResourceSchema, ScopeSchema } from '../../../src/contract/access/resources.schema.ts'
import { useT } from '../../phrases.ts'
import { CreateButton, useCreateEntity } from '../../ui/dialog-button.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { AccessPage } from './access-page.tsx'
import { texts } from './phrases.ts'
import { isBuiltIn } from './role-permissions.tsx'

export type Api = z.infer<typeof ResourceSchema>
export type Scope = z.infer<typeof ScopeSchema>

/** The query that opens the dialog for a new API. */
const NEW_API = 'new'

/** The id of the card with the permissions of an API. */
export const PERMISSIONS_ID = 'permissions'

export function ApiList() {
  const t = useT(texts)
  const create = (
    <CreateButton
      text={t('newApi')}
      scope="roles:write"
      openedBy={NEW_API}
      fields={[
        { name: 'name', label: t('name') },
        { name: 'indicator', label: t('indicator'), hint: t('indicatorHint'), isCode: true },
      ]}
      onCreate={useCreateEntity('/resources', '/access/apis')}
    />
  )
  return (
    <AccessPage actions={create}>
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
            title: t('indicator'),
            cell: ({ indicator }) => <code>{indicator}</code>,
            isHiddenOnPhones: true,
          },
        ]}
      />
    </AccessPage>
  )
}
