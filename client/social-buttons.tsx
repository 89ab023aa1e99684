import type { ReactNode } from 'react'
import { INTENT_FIELD, INTERACTION_PARAM } from '../src/contract/interaction.ts'
import { useAddress, useBoot, useHere, useT } from './boot.tsx'
import { useSocialConnectors } from './social-connectors.ts'
import { Button } from './ui/button.tsx'

/** The ways in by way of others, below "or" where there is another way. One form: what `children` ask goes with each. */
export function SocialButtons({ isAlone, children }: { isAlone: boolean; children?: ReactNode }) {
  const { experience, interaction, language } = useBoot()
  const t = useT()
  const { path } = useHere()
  const address = useAddress()
  const socialConnectors = useSocialConnectors()
  if (socialConnectors.length === 0) return null
  return (
    <>
      {!isAlone && <p className="or">{t('description.or')}</p>}
      <form className="form form-social" method="post" action={address(path)}>
        {interaction && <input type="hidden" name={INTERACTION_PARAM} value={interaction} />}
        <input type="hidden" name={INTENT_FIELD} value="social" />
        {children}
        {socialConnectors.map(({ id, name, logo, logoDark }) => (
          <Button key={id} kind="quiet" name="connectorId" value={id}>
            <picture className="social-logo">
              {logoDark && experience.color.isDarkModeEnabled && (
                <source media="(prefers-color-scheme: dark)" srcSet={logoDark} />
              )}
              <img src={logo} alt="" />
            </picture>
            {t('action.sign_in_with', { name: name[language] ?? name.en })}
          </Button>
        ))}
      </form>
    </>
  )
}
