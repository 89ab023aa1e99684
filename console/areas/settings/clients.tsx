import { oidcScopes } from '../../../src/contract/applications/unregistered-clients.ts'
import { problemAt } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { Checkbox, Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { ValueLines } from '../applications/address-lines.tsx'
import { texts } from './phrases.ts'
import { numberOf, type Settings, type SettingsPart, textOf } from './settings-form.ts'

type Scopes = Settings['clientRegistration']['scopes']

export function Clients({
  value: { unregisteredClients, clientRegistration },
  form,
  mayWrite,
}: SettingsPart) {
  const t = useT(texts)
  const problems = form.problem?.fields ?? {}
  const changeRegistration = (given: Partial<typeof clientRegistration>) =>
    form.change({ clientRegistration: { ...clientRegistration, ...given } })
  return (
    <>
      <Card title={t('documents')} lead={t('documentsHint')}>
        <Switch
          label={t('documents')}
          isDisabled={!mayWrite('unregisteredClients')}
          isSelected={unregisteredClients.enabled}
          onChange={(enabled) => form.change({ unregisteredClients: { ...unregisteredClients, enabled } })}
        />
        <ScopeChoice
          scopes={unregisteredClients.scopes}
          isDisabled={!mayWrite('unregisteredClients')}
          onChange={(scopes) => form.change({ unregisteredClients: { ...unregisteredClients, scopes } })}
        />
        <ApiChoice
          resources={unregisteredClients.resources}
          problem={problemAt(problems, 'unregisteredClients.resources')}
          isDisabled={!mayWrite('unregisteredClients')}
          onChange={(resources) =>
            form.change({ unregisteredClients: { ...unregisteredClients, resources } })
          }
        />
      </Card>
      <Card title={t('dynamic')} lead={t('dynamicHint')}>
        <Switch
          label={t('dynamic')}
          isDisabled={!mayWrite('clientRegistration')}
          isSelected={clientRegistration.enabled}
          onChange={(enabled) => changeRegistration({ enabled })}
        />
        <ScopeChoice
          scopes={clientRegistration.scopes}
          isDisabled={!mayWrite('clientRegistration')}
          onChange={(scopes) => changeRegistration({ scopes })}
        />
        <ApiChoice
          resources={clientRegistration.resources}
          problem={problemAt(problems, 'clientRegistration.resources')}
          isDisabled={!mayWrite('clientRegistration')}
          onChange={(resources) => changeRegistration({ resources })}
        />
        {(['mostClients', 'unusedDays'] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            type="number"
            isDisabled={!mayWrite('clientRegistration')}
            value={textOf(clientRegistration[name])}
            problem={problems[`clientRegistration.${name}`]}
            onChange={(number) => changeRegistration({ [name]: numberOf(number) })}
          />
        ))}
      </Card>
    </>
  )
}

function ScopeChoice({
  scopes,
  isDisabled,
  onChange,
}: {
  scopes: Scopes
  isDisabled: boolean
  onChange: (scopes: Scopes) => void
}) {
  const t = useT(texts)
  return (
    <fieldset className="group">
      <legend>{t('scopes')}</legend>
      {oidcScopes.map((scope) => (
        <Checkbox
          key={scope}
          label={scope}
          isDisabled={isDisabled}
          isSelected={scopes.includes(scope)}
          onChange={(isSelected) =>
            onChange(oidcScopes.filter((each) => (each === scope ? isSelected : scopes.includes(each))))
          }
        />
      ))}
    </fieldset>
  )
}

type ApiChoiceProps = {
  /** Null for every API. */
  resources: string[] | null
  problem: string | undefined
  isDisabled: boolean
  onChange: (resources: string[] | null) => void
}

function ApiChoice({ resources, problem, isDisabled, onChange }: ApiChoiceProps) {
  const t = useT(texts)
  return (
    <>
      <Checkbox
        label={t('everyApi')}
        isDisabled={isDisabled}
        isSelected={resources === null}
        onChange={(isEvery) => onChange(isEvery ? null : [])}
      />
      {resources !== null && (
        <ValueLines
          label={t('apis')}
          hint={t('apisHint')}
          value={resources}
          isDisabled={isDisabled}
          problem={problem}
          onChange={onChange}
        />
      )}
    </>
  )
}
