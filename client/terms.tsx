import { Fragment } from 'react'
import { useBoot, useT } from './boot.tsx'

/** "Terms of Use and Privacy Policy": as many of them as the operator has. */
export function TermsLinks() {
  const { termsOfUseUrl, privacyPolicyUrl } = useBoot().experience
  const t = useT()
  const links = [
    { href: termsOfUseUrl, name: t('description.terms_of_use') },
    { href: privacyPolicyUrl, name: t('description.privacy_policy') },
  ].filter((link): link is { href: string; name: string } => Boolean(link.href))
  return links.map(({ href, name }, index) => (
    <Fragment key={href}>
      {index > 0 && ` ${t('description.and')} `}
      <a className="link" href={href} target="_blank" rel="noopener">
        {name}
        <span className="visually-hidden"> {t('vestibule.opens_new_tab')}</span>
      </a>
    </Fragment>
  ))
}
