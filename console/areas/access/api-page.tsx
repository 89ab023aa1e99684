import { lazy, Suspense } from 'react'
import { useEntityForm } from '../../api/entity-form.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { DeleteButton } from '../../ui/dialog-button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import type { Api } from './api-list.tsx'
import { ApiPermissions } from './api-permissions.tsx'
import { texts } from './phrases.ts'
import { isBuiltIn } from './role-permissions.tsx'

// These cards are large, so they are loaded after the page.
const ApiGuide = lazy(() => import('./api-guide.tsx'))
const ClaimsCard = lazy(() => import('../claims-card.tsx'))

export function ApiPage({ id }: { id: string }) {
  const t = useT(texts)
  const nameOf = useFieldNames([texts])
  const form = useEntityForm<Api>(`/resources/${id}`)
  const mayWrite = [useCan('roles:write'), useCan('all') || !isBuiltIn(id)].every(Boolean)
  const { value, stored } = form
  if (!value || !stored) return <Loading failure={form.failure} onRetry={form.retry} />
  const fields = bindFields({
    value,
    problems: form.problem?.fields ?? {},
    isDisabled: !mayWrite,
    change: form.change,
  })
  return (
    <Page
      title={stored.name}
      parent={{ href: '/access/apis', title: t('apis') }}
      actions={
        mayWrite &&
        !isBuiltIn(id) && (
          <DeleteButton
            title={t('deleteApi', { name: stored.name })}
            lead={t('deleteApiLead')}
            confirmationText={stored.name}
            path={`/resources/${id}`}
            back="/access/apis"
          />
        )
      }
    >
      <Card>
        <TextField label={t('name')} {...fields.text('name')} />
        <TextField
          label={t('indicator')}
          hint={t('indicatorHint')}
          isCode
          {...fields.text('indicator')}
          isDisabled={!mayWrite || isBuiltIn(id)}
        />
        <TextField label={t('accessTokenTtl')} {...fields.number('accessTokenTtl')} />
      </Card>
      <ApiPermissions id={id} mayWrite={mayWrite} />
      {!isBuiltIn(id) && (
        <Suspense fallback={<Loading />}>
          <ApiGuide api={stored} />
          <ClaimsCard kind="resource" path={`/resources/${id}`} form={form} isReadOnly={!mayWrite} />
        </Suspense>
      )}
      <SaveBar form={form} nameOf={nameOf} />
    </Page>
  )
}
