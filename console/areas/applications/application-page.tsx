import { useEntityForm } from '../../api/entity-form.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { LinesField, TextField } from '../../ui/fields.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import type { Application } from './application-list.tsx'
import { texts } from './phrases.ts'

export function ApplicationPage({ id }: { id: string }) {
  const t = useT(texts)
  const form = useEntityForm<Application>(`/applications/${id}`)
  const mayWrite = useMay('applications:write')
  const { value, stored, problem } = form
  if (!value || !stored) return <Loading failure={form.failure} />
  const metadata = value.oidcClientMetadata
  return (
    <Page title={stored.name} parent={{ href: '/applications', title: t('title') }}>
      <Copyable label={t('id')} value={id} />
      <Card>
        <TextField
          label={t('name')}
          value={value.name}
          isDisabled={!mayWrite}
          problem={problem?.fields.name}
          onChange={(name) => form.change({ name })}
        />
        <LinesField
          label={t('redirectUris')}
          hint={t('redirectUrisHint')}
          isCode
          value={metadata.redirectUris}
          isDisabled={!mayWrite}
          problem={problem?.fields['oidcClientMetadata.redirectUris.0']}
          onChange={(redirectUris) => form.change({ oidcClientMetadata: { ...metadata, redirectUris } })}
        />
      </Card>
      <SaveBar form={form} nameOf={(field) => (field === 'name' ? t('name') : field)} />
    </Page>
  )
}
