import { useCurrentPage, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import { StepFrame } from '../layout/frame.tsx'
import { SideLink } from '../layout/navigation.tsx'
import { currentWay, linkToWay, readFewCodes, readWays } from './ways.ts'

/** Links below a form: to the only other second factor, or to the page that lists them if there are several. */
export function OtherWays() {
  const t = useT()
  const here = useCurrentPage()
  const { search, navigation } = here
  const others = readWays(search).filter((way) => way !== currentWay(here))
  const [only, ...more] = others
  if (!only) return null
  const link =
    more.length === 0
      ? linkToWay(only, search)
      : {
          to: `/second-factor/choose${queryWithoutInteraction(search)}`,
          phrase: 'vestibule.factor_other' as const,
        }
  return (
    <p className="aside">
      <SideLink to={link.to} navigation={navigation}>
        {t(link.phrase)}
      </SideLink>
    </p>
  )
}

/** Lists all second factors that the user can choose from (spec/pages#second-factor). */
export function ChooseWayPage() {
  const t = useT()
  const { search, navigation } = useCurrentPage()
  return (
    <StepFrame title={t('vestibule.factor_other')}>
      <ul className="ways">
        {readWays(search).map((way) => {
          const { to, phrase } = linkToWay(way, search)
          return (
            <li key={way}>
              <SideLink to={to} navigation={navigation}>
                {t(phrase)}
              </SideLink>
            </li>
          )
        })}
      </ul>
      <FewCodes />
    </StepFrame>
  )
}

/** Warns that the user is running out of backup codes. */
export function FewCodes() {
  const t = useT()
  const count = readFewCodes(useCurrentPage().search)
  return count === null ? null : <p className="factor-note">{t('vestibule.factor_few_codes', { count })}</p>
}
