import type { SocialConnector } from '../../src/contract/experience/experience.ts'
import { useBoot } from '../context/boot.tsx'

/** The connector's logo for the current theme. It is decorative, because the connector's name is shown beside it. */
export function SocialLogo({ logo, logoDark }: Pick<SocialConnector, 'logo' | 'logoDark'>) {
  const { experience } = useBoot()
  return (
    <picture className="social-logo">
      {logoDark && experience.color.isDarkModeEnabled && (
        <source media="(prefers-color-scheme: dark)" srcSet={logoDark} />
      )}
      <img src={logo} alt="" />
    </picture>
  )
}
