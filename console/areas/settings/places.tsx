import { useT } from '../../phrases.ts'
import { bindFields } from '../../ui/bound.ts'
import { LinesField, Select, Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import type { Settings, SettingsPart } from './settings-form.ts'
import { type Storage, storageFields, storageSecrets } from './storage.ts'

export function AddressSettings(part: SettingsPart) {
  const t = useT(texts)
  const { fields, reason } = part
  return (
    <>
      <Card title={t('places')}>
        {(['previewOrigins', 'imageOrigins'] as const).map((name) => (
          <LinesField
            key={name}
            label={t(name)}
            hint={reason(name) ?? t('oneEach')}
            isCode
            {...fields.lines(name)}
          />
        ))}
        {(['sessionNotFoundRedirectUrl', 'changePasswordUrl'] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            type="url"
            isCode
            hint={reason(name)}
            {...fields.nullable(name)}
          />
        ))}
      </Card>
      <Card title={t('privateTargets')} lead={t('privateTargetsLead')}>
        <Switch
          label={t('allowPrivateTargets')}
          hint={reason('allowPrivateTargets') ?? t('allowPrivateTargetsHint')}
          {...fields.flag('allowPrivateTargets')}
        />
      </Card>
      <Uploads {...part} />
    </>
  )
}

/**
 * Edits where uploads are stored. A secret that the user types never leaves the page until it is saved
 * (spec/console#drafts).
 */
function Uploads({ value, form, mayWrite }: SettingsPart) {
  const t = useT(texts)
  const storage: Storage = value.storageProvider ?? {}
  const change = (changes: Storage) =>
    // Only the fields of the chosen provider are sent (`buildStorageBody`), and the API checks them.
    form.change({ storageProvider: { ...storage, ...changes } as Settings['storageProvider'] })
  const fields = bindFields({
    value: storage,
    path: 'storageProvider',
    problems: form.problem?.fields ?? {},
    isDisabled: !mayWrite('storageProvider'),
    change,
  })
  const hintAt = (field: string) => {
    if (form.lost.includes(`storageProvider.${field}`))
      return <span className="problem">{t('secretLost')}</span>
    if (field !== 'publicUrl') return undefined
    return t(storage.provider === 'R2' ? 'bucketAddress' : 'otherAddress')
  }
  return (
    <Card title={t('storageProvider')} lead={t('storageLead')}>
      <Select
        label={t('provider')}
        value={storage.provider ?? 'none'}
        problem={form.problem?.fields.storageProvider}
        isDisabled={!mayWrite('storageProvider')}
        options={[
          { value: 'none', label: t('none') },
          { value: 'R2', label: 'Cloudflare R2' },
          { value: 'S3Storage', label: 'S3' },
          { value: 'AzureStorage', label: 'Azure Blob Storage' },
        ]}
        onChange={(provider) =>
          provider === 'none' ? form.change({ storageProvider: null }) : change({ provider })
        }
      />
      {(storage.provider ? storageFields[storage.provider] : []).map((name) => (
        <TextField
          key={name}
          label={t(`storageProvider.${name}`)}
          hint={hintAt(name)}
          isCode
          type={storageSecrets.includes(name) ? 'password' : 'text'}
          autoComplete="off"
          {...fields.nullable(name)}
        />
      ))}
    </Card>
  )
}
