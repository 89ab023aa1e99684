import { useHere, useT } from '../context/boot.tsx'
import { ownQuery } from '../context/paths.ts'
import { StepFrame } from '../layout/frame.tsx'
import { SideLink } from '../layout/navigation.tsx'
import { fewCodesIn, linkTo, wayOf, waysIn } from './ways.ts'

/** Below a way: the one other way, or the page that lists them. */
export function OtherWays() {
  const t = useT()
  const here = useHere()
  const { search, navigation } = here
  const others = waysIn(search).filter((way) => way !== wayOf(here))
  const [only, ...more] = others
  if (!only) return null
  const link =
    more.length === 0
      ? linkTo(only, search)
      : { to: `/second-factor/choose${ownQuery(search)}`, phrase: 'vestibule.factor_other' as const }
  return (
    <p className="aside">
      <SideLink to={link.to} navigation={navigation}>
        {t(link.phrase)}
      </SideLink>
    </p>
  )
}

/** Every way to prove it (spec/pages#second-factor). */
export function ChooseWayPage() {
  const t = useT()
  const { search, navigation } = useHere()
  return (
    <StepFrame title={t('vestibule.factor_other')}>
      <ul className="ways">
        {waysIn(search).map((way) => {
          const { to, phrase } = linkTo(way, search)
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

/** That backup codes run out. */
export function FewCodes() {
  const t = useT()
  const count = fewCodesIn(useHere().search)
  return count === null ? null : <p className="factor-note">{t('vestibule.factor_few_codes', { count })}</p>
}
