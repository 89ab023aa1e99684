import { lazy, Suspense } from 'react'
import { idTokenAlgorithms, idTokenClaims } from '../../../src/contract/applications/applications.ts'
import { getIdTokenClaims } from '../../../src/domain/applications/fapi.ts'
import { useT } from '../../phrases.ts'
import { Select, Switch, TextField } from '../../ui/fields.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Card, Loading } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { policyPhrases, SecondFactorPolicyFields } from '../second-factor-policy.tsx'
import { AccessCard } from './access-card.tsx'
import { CodeLinesField, RedirectUrisField } from './address-lines.tsx'
import { type ApplicationForm, createSettingsProps, type SettingsProps } from './application-form.ts'
import { CollapsibleCard } from './folded-card.tsx'
import { canKeepSecret } from './kinds.ts'
import { texts } from './phrases.ts'
import { SecretCard } from './secret-card.tsx'
import { settingPhrases } from './settings-phrases.ts'

// These parts are large, so they are loaded after the page.
const PictureField = lazy(() => import('../picture-field.tsx'))
const ClaimsCard = lazy(() => import('../claims-card.tsx'))
const OrganizationsCard = lazy(() => import('./organisations-card.tsx'))
const KeysCard = lazy(() => import('./keys-card.tsx'))
const RolesCard = lazy(() => import('./roles-card.tsx'))

/** Shows the settings that every application has, followed by collapsed cards for the others. */
export function ApplicationSettings({
  form,
  secret,
  onSecret,
  isReadOnly,
}: {
  form: ApplicationForm
  secret: string | null
  onSecret: (secret: string) => void
  isReadOnly: boolean
}) {
  const nameOf = useFieldNames([texts, policyPhrases, settingPhrases])
  const { value, stored } = form
  if (!value || !stored) return null
  const settings = createSettingsProps(form, value, isReadOnly)
  return (
    <>
      <BasicsCard {...settings} />
      {value.type !== 'MachineToMachine' && <AddressesCard {...settings} />}
      {value.type === 'MachineToMachine' && (
        <Suspense fallback={<Loading />}>
          <RolesCard application={stored} isReadOnly={isReadOnly} onSecret={onSecret} />
        </Suspense>
      )}
      <SecretCard application={stored} secret={secret} onRotated={onSecret} />
      <TokensCard {...settings} />
      {value.type !== 'MachineToMachine' && (
        <Suspense fallback={<Loading />}>
          <ClaimsCard
            kind="application"
            path={`/applications/${value.id}`}
            form={form}
            isReadOnly={isReadOnly}
          />
        </Suspense>
      )}
      <SecurityCard {...settings} />
      {canKeepSecret(value.type) && (
        <Suspense>
          <KeysCard {...settings} />
        </Suspense>
      )}
      <AccessCard {...settings} />
      {value.type !== 'MachineToMachine' && (
        <Suspense>
          <OrganizationsCard {...settings} />
        </Suspense>
      )}
      <SaveBar form={form} nameOf={(path) => nameOf(path.replace(/^(?:oidc|custom)ClientMetadata\./, ''))} />
    </>
  )
}

function BasicsCard({ application, change, fields, metadata, problems, isReadOnly }: SettingsProps) {
  const t = useT(texts)
  return (
    <Card title={t('basics')}>
      <TextField
        label={t('name')}
        hint={t(application.type === 'MachineToMachine' ? 'machineNameHint' : 'nameHint')}
        {...fields.text('name')}
      />
      <TextField
        label={t('description')}
        hint={t('descriptionHint')}
        rows={2}
        {...fields.nullable('description')}
      />
      {application.type !== 'MachineToMachine' && (
        <>
          <Suspense>
            <PictureField
              label={t('logoUri')}
              purpose={t('logoHint')}
              isUrl
              explainsUploads
              {...metadata.nullable('logoUri')}
            />
          </Suspense>
          <SecondFactorPolicyFields
            value={application}
            isDisabled={isReadOnly}
            problem={problems.secondFactorPolicy}
            onChange={change}
          />
        </>
      )}
    </Card>
  )
}

function AddressesCard({ application, metadata, custom, problems }: SettingsProps) {
  const t = useT(settingPhrases)
  const { type, customClientMetadata } = application
  const addresses = [
    'initiateLoginUri' as const,
    'backchannelLogoutUri' as const,
    ...(customClientMetadata.isThirdParty ? (['tosUri', 'policyUri'] as const) : []),
  ]
  return (
    <Card title={t('addresses')}>
      {(['redirectUris', 'postLogoutRedirectUris'] as const).map((key) => (
        <RedirectUrisField
          key={key}
          label={t(key)}
          hint={t(`${key}Hint`)}
          owner={{ type, isThirdParty: customClientMetadata.isThirdParty === true }}
          problemAt={(index) => problems[`oidcClientMetadata.${key}.${index}`]}
          {...metadata.lines(key)}
          problem={problems[`oidcClientMetadata.${key}`]}
        />
      ))}
      <details className="more">
        <summary>{t('more')}</summary>
        <CodeLinesField
          label={t('corsAllowedOrigins')}
          hint={t('corsAllowedOriginsHint')}
          {...custom.lines('corsAllowedOrigins', null)}
        />
        {addresses.map((key) => (
          <TextField
            key={key}
            label={t(key)}
            hint={t(`${key}Hint`)}
            type="url"
            isCode
            {...custom.nullable(key)}
          />
        ))}
      </details>
    </Card>
  )
}

function TokensCard({ application, custom }: SettingsProps) {
  const t = useT(settingPhrases)
  if (application.type === 'MachineToMachine') return null
  const algorithm = custom.choice('idTokenSignedResponseAlg')
  const claims = custom.choice('idTokenClaims')
  return (
    <CollapsibleCard title={t('tokens')} lead={t('tokensLead')}>
      <TextField label={t('idTokenTtl')} hint={t('ttlHint')} {...custom.number('idTokenTtl', null)} />
      <TextField
        label={t('refreshTokenTtl')}
        hint={t('refreshTokenTtlHint')}
        {...custom.number('refreshTokenTtl', null)}
      />
      <TextField
        label={t('refreshTokenMaxTtl')}
        hint={t(maxTtlHint(application))}
        {...custom.number('refreshTokenMaxTtl', null)}
      />
      <Select
        label={t('idTokenSignedResponseAlg')}
        {...algorithm}
        value={algorithm.value ?? 'RS256'}
        options={idTokenAlgorithms.map((value) => ({ value, label: value }))}
      />
      <Select
        label={t('idTokenClaims')}
        hint={t('idTokenClaimsHint')}
        {...claims}
        value={getIdTokenClaims(application.customClientMetadata)}
        options={idTokenClaims.map((value) => ({ value, label: t(`claims_${value}`) }))}
      />
    </CollapsibleCard>
  )
}

/** The longest time without a sign-in depends on where the application runs and who registered it. */
function maxTtlHint({ type, customClientMetadata }: SettingsProps['application']) {
  if (type === 'SPA') return 'maxTtlHintBrowser'
  return customClientMetadata.dynamicRegistration ? 'maxTtlHintRegistered' : 'maxTtlHint'
}

/**
 * The security requirements that the application has to meet, and those that users have to meet before it gets
 * tokens.
 */
function SecurityCard({ application, custom: fields, problems }: SettingsProps) {
  const t = useT(settingPhrases)
  const { type, customClientMetadata: custom } = application
  const isMachine = type === 'MachineToMachine'
  const keys = [
    ...(isMachine ? [] : (['isThirdParty', 'deviceFlow'] as const)),
    'dpopBoundAccessTokens' as const,
    ...(canKeepSecret(type) ? (['fapi2'] as const) : []),
    ...(custom.backchannelLogoutUri ? (['backchannelLogoutSessionRequired'] as const) : []),
  ]
  return (
    <CollapsibleCard title={t('security')} lead={t(isMachine ? 'machineSecurityLead' : 'securityLead')}>
      {keys.map((key) => {
        const problem = problems[`customClientMetadata.${key}`]
        return (
          <div key={key}>
            <Switch label={t(key)} hint={t(`${key}Hint`)} {...fields.flag(key, null)} />
            {problem && (
              <p className="problem" role="alert">
                {problem}
              </p>
            )}
          </div>
        )
      })}
    </CollapsibleCard>
  )
}
