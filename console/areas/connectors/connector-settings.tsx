import { useT } from '../../phrases.ts'
import { Switch, TextField } from '../../ui/fields.tsx'
import { labelOf } from '../../ui/label-of.ts'
import { Card } from '../../ui/page.tsx'
import type { Factory } from './config.ts'
import { ConfigFields } from './config-fields.tsx'
import type { ConnectorForm } from './connector-form.ts'
import { useName } from './mark.tsx'
import { texts } from './phrases.ts'

type ConnectorSettingsProps = { form: ConnectorForm; factory: Factory; isReadOnly: boolean }

export function ConnectorSettings({ form, factory, isReadOnly }: ConnectorSettingsProps) {
  const t = useT(texts)
  const nameOf = useName()
  const { value: connector } = form
  const { metadata } = connector
  const isSocial = connector.type === 'Social'
  return (
    <div id="settings">
      <Card title={t('settings')}>
        {isSocial && factory.isStandard === true && (
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            value={metadata.name?.en ?? nameOf(connector)}
            isDisabled={isReadOnly}
            problem={form.problem?.fields['metadata.name']}
            onChange={(en) => form.change({ metadata: { ...metadata, name: { ...connector.name, en } } })}
          />
        )}
        <ConfigFields fields={form.fields} isDisabled={isReadOnly} lost={form.lostKeys} />
        {isSocial && (
          <Switch
            label={t('sync')}
            hint={t('syncHint')}
            isSelected={connector.syncProfile}
            isDisabled={isReadOnly}
            onChange={(syncProfile) => form.change({ syncProfile })}
          />
        )}
      </Card>
    </div>
  )
}

/** What the fields are called here. A refusal of the factory names a key of the configuration alone. */
export function useFieldNames({ formItems }: Factory): (path: string) => string {
  const t = useT(texts)
  const labels = {
    ...Object.fromEntries(formItems.map(({ key, label }) => [key, label])),
    metadata: t('name'),
    syncProfile: t('sync'),
  }
  return (path) => labelOf(path.replace(/^config\./, ''), labels)
}
