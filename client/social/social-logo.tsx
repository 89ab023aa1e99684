import type { SocialConnector } from '../../src/contract/experience/experience.ts'
import { useBoot } from '../context/boot.tsx'

/** The connector's logo for the theme of the page. The name of the connector is shown beside it. */
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
