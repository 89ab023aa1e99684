import type { ReactNode } from 'react'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import { Chip } from '../forms/identity-chip.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { SiblingLink } from '../layout/navigation.tsx'
import { formatPhone } from '../phones/phones.ts'
import { isUnusualSignIn } from './ways.ts'

/**
 * The frame of the pages that ask for a second factor. Each page says who signs in and what happens, and links to the
 * other factors below its form (spec/pages#second-factor).
 */
export function ProofFrame({
  lead,
  note,
  children,
}: {
  lead?: string | undefined
  /** The content between the form and the link to other factors. */
  note?: ReactNode
  children: ReactNode
}) {
  const t = useT()
  // Explains why this sign-in needs a second factor although the user's other sign-ins do not.
  const why = isUnusualSignIn(useCurrentPage().search) ? t('vestibule.factor_unusual') : undefined
  return (
    <StepFrame
      title={t('vestibule.factor_title')}
      description={
        <>
          <AccountChip />
          {why && <span className="factor-lead">{why}</span>}
          {lead && <span className="factor-lead">{lead}</span>}
        </>
      }
    >
      {children}
      {note}
      <OtherFactorsLink />
    </StepFrame>
  )
}

/** Renders the link below a form to the list of second factors. */
function OtherFactorsLink() {
  const t = useT()
  const { search, navigation } = useCurrentPage()
  return (
    <p className="aside">
      <SiblingLink to={`/second-factor/choose${queryWithoutInteraction(search)}`} navigation={navigation}>
        {t('vestibule.factor_other')}
      </SiblingLink>
    </p>
  )
}

/** Shows who signs in, as the user entered it or else masked. Renders nothing if the page does not know it. */
export function AccountChip() {
  const t = useT()
  const account = useCurrentPage().navigation?.secondFactor?.account
  if (!account) return null
  const { type, value } = account
  const name = type === 'phone' && /^\d+$/.test(value) ? formatPhone(value) : value
  return (
    <Chip sentence={t('vestibule.factor_account')} name={name}>
      {null}
    </Chip>
  )
}
