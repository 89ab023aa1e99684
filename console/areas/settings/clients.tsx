import { oidcScopes } from '../../../src/contract/applications/unregistered-clients.ts'
import { useT } from '../../phrases.ts'
import type { bindFields } from '../../ui/bound.ts'
import { Checkbox, Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { CodeLinesField } from '../applications/address-lines.tsx'
import { texts } from './phrases.ts'
import type { Settings, SettingsPart } from './settings-form.ts'

export function ClientSettings({ fieldsIn }: SettingsPart) {
  const t = useT(texts)
  const registration = fieldsIn('clientRegistration')
  return (
    <>
      <Card title={t('unregisteredClients')} lead={t('documentsHint')}>
        <AccessFields title={t('unregisteredClients')} fields={fieldsIn('unregisteredClients')} />
      </Card>
      <Card title={t('clientRegistration')} lead={t('dynamicHint')}>
        <AccessFields title={t('clientRegistration')} fields={registration} />
        {(['mostClients', 'unusedDays'] as const).map((name) => (
          <TextField key={name} label={t(`clientRegistration.${name}`)} {...registration.number(name)} />
        ))}
      </Card>
    </>
  )
}

type AccessProps = {
  title: string
  /** The settings fields for either kind of unregistered client. */
  fields: ReturnType<typeof bindFields<Settings['unregisteredClients']>>
}

/** Edits whether unregistered clients are allowed, and what they may request. */
function AccessFields({ title, fields }: AccessProps) {
  const t = useT(texts)
  const scopes = fields.choice('scopes')
  const resources = fields.choice('resources')
  return (
    <>
      <Switch label={title} {...fields.flag('enabled')} />
      <fieldset className="group">
        <legend>{t('scopes')}</legend>
        {oidcScopes.map((scope) => (
          <Checkbox
            key={scope}
            label={scope}
            isDisabled={scopes.isDisabled}
            isSelected={scopes.value.includes(scope)}
            onChange={(isSelected) =>
              scopes.onChange(
                oidcScopes.filter((each) => (each === scope ? isSelected : scopes.value.includes(each))),
              )
            }
          />
        ))}
      </fieldset>
      <Checkbox
        label={t('everyApi')}
        isDisabled={resources.isDisabled}
        isSelected={resources.value === null}
        onChange={(isEvery) => resources.onChange(isEvery ? null : [])}
      />
      {resources.value !== null && (
        <CodeLinesField label={t('apis')} hint={t('apisHint')} {...resources} value={resources.value} />
      )}
    </>
  )
}
