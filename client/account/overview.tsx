import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import { isFieldVisible } from '../../src/contract/account/account-fields.ts'
import { AlertIcon } from '../ui/icons.tsx'
import { useTexts, useView } from './account-view.tsx'
import { Detail, DetailList, FormattedDate, Heading } from './parts.tsx'

type Owner = {
  name: string | null
  username: string | null
  avatar: string | null
  primaryEmail: string | null
  primaryPhone: string | null
  createdAt: number
}

export type AttentionPoints = {
  emailUnverified: boolean
  phoneUnverified: boolean
  hasNoFactor: boolean
  /** The number of backup codes left, or null if there are still enough. */
  fewCodes: number | null
}

/** Shows who is signed in and what needs attention (spec/account-centre#overview). */
export function Overview({
  user,
  attention,
  isDeletionCanceled,
}: {
  user: Owner
  attention: AttentionPoints
  /** Whether the user requested the deletion of the account but has signed in since. */
  isDeletionCanceled: boolean
}) {
  const t = useTexts()
  const { fields } = useView()
  const wayTo = (field: 'email' | 'phone' | 'factors') =>
    isFieldVisible(fields, field) ? `/account/${field}` : undefined
  const factors = wayTo('factors')
  const points: (readonly [AccountPhraseKey, boolean, string?])[] = [
    ['email_unverified', attention.emailUnverified, wayTo('email')],
    ['phone_unverified', attention.phoneUnverified, wayTo('phone')],
    ['no_factor', attention.hasNoFactor, factors],
    ['few_codes', attention.fewCodes !== null, factors],
  ]
  const open = points.filter(([, isOpen]) => isOpen)
  const { name, username, avatar, primaryEmail, primaryPhone, createdAt } = user
  return (
    <>
      {isDeletionCanceled && (
        <p className="account-flash" role="status">
          {t('deletion_cancelled')}
        </p>
      )}
      <div className="account-owner">
        {avatar && <img className="account-avatar" src={avatar} alt="" width={64} height={64} />}
        <Heading title={t('title')} />
      </div>
      <section className="account-card">
        <DetailList>
          <Detail name={t('name')}>{name && <bdi>{name}</bdi>}</Detail>
          <Detail name={t('input.username')}>{username && <bdi>{username}</bdi>}</Detail>
          <Detail name={t('input.email')}>{primaryEmail && <bdi>{primaryEmail}</bdi>}</Detail>
          <Detail name={t('input.phone_number')}>
            {primaryPhone && <bdi dir="ltr">{`+${primaryPhone}`}</bdi>}
          </Detail>
          <Detail name={t('since')}>
            <FormattedDate at={createdAt} />
          </Detail>
        </DetailList>
      </section>
      <section className="account-card">
        <h2>{t('attention')}</h2>
        {open.length === 0 ? (
          <p className="account-quiet">{t('all_well')}</p>
        ) : (
          <ul className="account-points">
            {open.map(([text, , path]) => {
              const point = t(text, { count: attention.fewCodes })
              return (
                <li key={text}>
                  <AlertIcon />
                  {path ? (
                    <a className="link" href={path}>
                      {point}
                    </a>
                  ) : (
                    <span>{point}</span>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </section>
    </>
  )
}
