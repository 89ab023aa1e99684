import { useCurrentPage, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import { StepFrame } from '../layout/frame.tsx'
import { SiblingLink } from '../layout/navigation.tsx'
import { currentFactorOption, linkToFactorOption, readBackupCodesLeft, readFactorOptions } from './ways.ts'

/** Renders the link below a form to the other second factor, or to the list of factors if there are several others. */
export function OtherFactorsLink() {
  const t = useT()
  const here = useCurrentPage()
  const { search, navigation } = here
  const others = readFactorOptions(search).filter((way) => way !== currentFactorOption(here))
  const [only, ...more] = others
  if (!only) return null
  const link =
    more.length === 0
      ? linkToFactorOption(only, search)
      : {
          to: `/second-factor/choose${queryWithoutInteraction(search)}`,
          phrase: 'vestibule.factor_other' as const,
        }
  return (
    <p className="aside">
      <SiblingLink to={link.to} navigation={navigation}>
        {t(link.phrase)}
      </SiblingLink>
    </p>
  )
}

/** Lists all second factors that the user can choose from (spec/pages#second-factor). */
export function ChooseFactorPage() {
  const t = useT()
  const { search, navigation } = useCurrentPage()
  return (
    <StepFrame title={t('vestibule.factor_other')}>
      <ul className="ways">
        {readFactorOptions(search).map((way) => {
          const { to, phrase } = linkToFactorOption(way, search)
          return (
            <li key={way}>
              <SiblingLink to={to} navigation={navigation}>
                {t(phrase)}
              </SiblingLink>
            </li>
          )
        })}
      </ul>
      <FewBackupCodesNote />
    </StepFrame>
  )
}

/** Warns that the user is running out of backup codes. */
export function FewBackupCodesNote() {
  const t = useT()
  const count = readBackupCodesLeft(useCurrentPage().search)
  return count === null ? null : <p className="factor-note">{t('vestibule.factor_few_codes', { count })}</p>
}
