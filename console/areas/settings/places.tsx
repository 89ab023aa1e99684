import { useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { LinesField, Select, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'
import { texts } from './phrases.ts'
import { SETTINGS_PATH, type SettingsPart } from './settings-form.ts'

export function Places(part: SettingsPart) {
  const t = useT(texts)
  const { value, form, mayWrite } = part
  const problemAt = (name: string) =>
    Object.entries(form.problem?.fields ?? {}).find(([path]) => path.split('.')[0] === name)?.[1]
  return (
    <>
      <Card title={t('places')}>
        {(['previewOrigins', 'imageOrigins'] as const).map((name) => (
          <LinesField
            key={name}
            label={t(name)}
            hint={t('oneEach')}
            isCode
            isDisabled={!mayWrite}
            value={value[name]}
            problem={problemAt(name)}
            onChange={(origins) => form.change({ [name]: origins })}
          />
        ))}
        <TextField
          label={t('sessionless')}
          type="url"
          isCode
          isDisabled={!mayWrite}
          value={value.sessionNotFoundRedirectUrl ?? ''}
          problem={problemAt('sessionNotFoundRedirectUrl')}
          onChange={(address) => form.change({ sessionNotFoundRedirectUrl: address || null })}
        />
        <TextField
          label={t('changePassword')}
          type="url"
          isCode
          isDisabled={!mayWrite}
          value={value.changePasswordUrl ?? ''}
          problem={problemAt('changePasswordUrl')}
          onChange={(address) => form.change({ changePasswordUrl: address || null })}
        />
      </Card>
      <Uploads {...part} />
    </>
  )
}

const providers = {
  AzureStorage: { fields: ['connectionString', 'container', 'publicUrl'] },
  S3Storage: { fields: ['endpoint', 'bucket', 'accessKeyId', 'accessSecretKey', 'region', 'publicUrl'] },
  R2: { fields: ['publicUrl'] },
} as const
type Provider = keyof typeof providers
type Field = (typeof providers)[Provider]['fields'][number]

const secrets: readonly Field[] = ['connectionString', 'accessSecretKey']

/** Saved by itself: a secret is no draft (spec/console#drafts). */
function Uploads({ value: { storageProvider }, mayWrite }: SettingsPart) {
  const t = useT(texts)
  const words = useWords()
  const notify = useNotify()
  const change = useChange()
  const stored: Partial<Record<Field, string>> = storageProvider ?? {}
  const [provider, setProvider] = useState<Provider | 'none'>(storageProvider?.provider ?? 'none')
  const [values, setValues] = useState(stored)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const fields: readonly Field[] = provider === 'none' ? [] : providers[provider].fields
  const save = async () => {
    const given = Object.fromEntries(fields.flatMap((name) => (values[name] ? [[name, values[name]]] : [])))
    const body = { storageProvider: provider === 'none' ? null : { provider, ...given } }
    try {
      await change(SETTINGS_PATH, { method: 'PATCH', body })
      setProblems({})
      notify.success(words('saved'))
    } catch (failure) {
      if (failure instanceof ApiProblem) setProblems(failure.fields)
      notify.failure(failure)
    }
  }
  return (
    <Card title={t('storage')} lead={t('storageLead')}>
      <Select
        label={t('provider')}
        value={provider}
        isDisabled={!mayWrite}
        options={[
          { value: 'none', label: t('none') },
          { value: 'R2', label: 'Cloudflare R2' },
          { value: 'S3Storage', label: 'S3' },
          { value: 'AzureStorage', label: 'Azure Blob Storage' },
        ]}
        onChange={setProvider}
      />
      {fields.map((name) => (
        <TextField
          key={name}
          label={t(name)}
          isCode
          type={secrets.includes(name) ? 'password' : 'text'}
          autoComplete="off"
          isDisabled={!mayWrite}
          value={values[name] ?? ''}
          problem={problems[`storageProvider.${name}`]}
          onChange={(text) => setValues({ ...values, [name]: text })}
        />
      ))}
      {mayWrite && (
        <div className="actions">
          <Button onPress={save}>{t('storageSet')}</Button>
        </div>
      )}
    </Card>
  )
}
