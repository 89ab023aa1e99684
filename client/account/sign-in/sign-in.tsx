import type { ReactNode } from 'react'
import { type AccountField, isFieldVisible } from '../../../src/contract/account/account-fields.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../../context/boot.tsx'
import { getConnectorName } from '../../context/connector-name.ts'
import { EnvelopeIcon, PasskeyIcon, PhoneIcon } from '../../ui/icons.tsx'
import { withLink } from '../../ui/rich-text.tsx'
import { useTexts, useView } from '../account-view.tsx'
import { Dotted } from '../dotted.tsx'
import { BrowserIcon, LinkIcon, LockIcon, StepsIcon } from '../icons.tsx'
import { Heading } from '../parts.tsx'
import { RelativeTime } from '../relative-time.tsx'
import { EmailText, PhoneText, Row, Rows } from '../rows.tsx'

type Address = { value: string; isVerified: boolean }

/** The values of the settings. A setting that the tenant does not offer and the user does not have is null. */
export type SignInValues = {
  email: Address | null
  /** The number as users read it. */
  phone: Address | null
  hasPassword: boolean
  /** The time of the last change, or null if it is unknown. */
  passwordChangedAt: number | null
  passkeyCount: number | null
  /** The targets of the providers to which the user has linked an account. */
  identities: readonly string[] | null
  secondFactors: { isOn: boolean; hasApp: boolean; hasKey: boolean } | null
  browserCount: number
}

type Setting = { field: AccountField; path?: string; icon: ReactNode; title: string; value: ReactNode }

/** Shows how the user signs in and what protects the account (spec/account-centre#sign-in-and-security). */
export function SignIn({ values }: { values: SignInValues }) {
  const t = useTexts()
  const { email, phone, passkeyCount, identities, secondFactors, browserCount } = values
  const { language } = useBoot()
  const number = new Intl.NumberFormat(toStandardTag(language))
  return (
    <>
      <Heading title={t('sign_in')} lead={t('sign_in_lead')} />
      <Settings
        title={t('ways')}
        settings={[
          {
            field: 'email',
            icon: <EnvelopeIcon />,
            title: t('input.email'),
            value: <AddressValue address={email}>{email && <EmailText value={email.value} />}</AddressValue>,
          },
          {
            field: 'phone',
            icon: <PhoneIcon />,
            title: t('input.phone_number'),
            value: <AddressValue address={phone}>{phone && <PhoneText value={phone.value} />}</AddressValue>,
          },
          {
            field: 'password',
            icon: <LockIcon />,
            title: t('input.password'),
            value: <PasswordValue {...values} />,
          },
          passkeyCount !== null && {
            field: 'passkeys',
            icon: <PasskeyIcon />,
            title: t('passkeys'),
            value: passkeyCount === 0 ? t('no_passkeys') : number.format(passkeyCount),
          },
          identities && {
            field: 'identities',
            icon: <LinkIcon />,
            title: t('identities'),
            value: <ProviderNames targets={identities} />,
          },
        ]}
      />
      <Settings
        title={t('more_protection')}
        settings={[
          secondFactors && {
            field: 'factors',
            icon: <StepsIcon />,
            title: t('factors'),
            value: <SecondFactors {...secondFactors} />,
          },
          {
            field: 'factors',
            path: '/account/browsers',
            icon: <BrowserIcon />,
            title: t('browsers'),
            value: browserCount === 0 ? t('no_browsers') : number.format(browserCount),
          },
        ]}
      />
    </>
  )
}

/** The settings that the tenant makes visible. */
function Settings({ title, settings }: { title: string; settings: readonly (Setting | null | false)[] }) {
  const { fields } = useView()
  const visible = settings.filter((setting) => setting && isFieldVisible(fields, setting.field)) as Setting[]
  if (visible.length === 0) return null
  return (
    <Rows title={title}>
      {visible.map(({ field, path = `/account/${field}`, icon, title, value }) => (
        <Row key={path} icon={icon} title={title} value={value} to={path} />
      ))}
    </Rows>
  )
}

function AddressValue({ address, children }: { address: Address | null; children?: ReactNode }) {
  const t = useTexts()
  if (!address) return t('not_set')
  return (
    <Dotted>
      {children}
      {address.isVerified ? (
        t('verified')
      ) : (
        <span className="account-warning">{t('address_unverified')}</span>
      )}
    </Dotted>
  )
}

function PasswordValue({
  hasPassword,
  passwordChangedAt,
}: Pick<SignInValues, 'hasPassword' | 'passwordChangedAt'>) {
  const t = useTexts()
  if (!hasPassword) return t('not_set')
  if (passwordChangedAt === null) return t('password_set')
  return withLink(t('changed'), <RelativeTime at={passwordChangedAt} />)
}

function ProviderNames({ targets }: { targets: readonly string[] }) {
  const t = useTexts()
  const boot = useBoot()
  if (targets.length === 0) return t('no_identities')
  const names = targets.map((target) => {
    const connector = boot.experience.socialConnectors.find((each) => each.target === target)
    return connector ? getConnectorName(boot, connector.id) : target
  })
  return new Intl.ListFormat(toStandardTag(boot.language), { type: 'unit' }).format(names)
}

function SecondFactors({ isOn, hasApp, hasKey }: NonNullable<SignInValues['secondFactors']>) {
  const t = useTexts()
  if (!isOn) return t('off')
  return (
    <Dotted>
      {t('on')}
      {hasApp && t('app')}
      {hasKey && t('keys')}
    </Dotted>
  )
}
