import { useT } from '../../phrases.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { AccessCard } from './access-card.tsx'
import { AddressesCard } from './addresses-card.tsx'
import { type ApplicationForm, settingsOf } from './application-form.ts'
import { BasicsCard } from './basics-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { texts } from './phrases.ts'
import { SecretCard } from './secret-card.tsx'
import { SecurityCard } from './security-card.tsx'
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
  const t = useT(texts)
  const { value, stored } = form
  if (!value || !stored) return null
  const settings = settingsOf(form, value, isReadOnly)
  const nameOf = (path: string) => {
    const [field = ''] = path.split('.')
    return isNamed(field) ? t(names[field]) : field
  }
  return (
    <>
      <BasicsCard {...settings} />
      {value.type !== 'MachineToMachine' && <AddressesCard {...settings} />}
      <SecretCard application={stored} secret={secret} onRotated={onSecret} />
      <TokensCard {...settings} />
      <SecurityCard {...settings} />
      <KeysCard {...settings} />
      <AccessCard {...settings} />
      <SaveBar form={form} nameOf={nameOf} />
    </>
  )
}

/** What the fields of the entity are called here, for a conflict. */
const names = {
  name: 'name',
  description: 'description',
  secondFactorPolicy: 'secondFactor',
  oidcClientMetadata: 'addresses',
  customClientMetadata: 'advanced',
  isAdmin: 'isAdmin',
} as const

const isNamed = (field: string): field is keyof typeof names => Object.hasOwn(names, field)
