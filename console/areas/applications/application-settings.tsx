import { useFieldNames } from '../../ui/label-of.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { policyTexts } from '../second-factor-policy.tsx'
import { AccessCard } from './access-card.tsx'
import { AddressesCard } from './addresses-card.tsx'
import { type ApplicationForm, settingsOf } from './application-form.ts'
import { BasicsCard } from './basics-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { texts } from './phrases.ts'
import { SecretCard } from './secret-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { accessTexts, addressTexts, keyTexts, securityTexts, tokenTexts } from './settings-phrases.ts'
import { TokensCard } from './tokens-card.tsx'

/** First what every application has; the rest is folded. */
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
  const nameOf = useFieldNames([
    texts,
    policyTexts,
    addressTexts,
    tokenTexts,
    securityTexts,
    keyTexts,
    accessTexts,
  ])
  const { value, stored } = form
  if (!value || !stored) return null
  const settings = settingsOf(form, value, isReadOnly)
  return (
    <>
      <BasicsCard {...settings} />
      {value.type !== 'MachineToMachine' && <AddressesCard {...settings} />}
      <SecretCard application={stored} secret={secret} onRotated={onSecret} />
      <TokensCard {...settings} />
      <SecurityCard {...settings} />
      <KeysCard {...settings} />
      <AccessCard {...settings} />
      <SaveBar form={form} nameOf={(path) => nameOf(path.replace(/^(?:oidc|custom)ClientMetadata\./, ''))} />
    </>
  )
}
