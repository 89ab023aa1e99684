import { type ComponentType, Fragment, type MouseEvent, useState } from 'react'
import { useIsHydrated } from '../browser/facts.ts'
import { openPage } from '../browser/leaving.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { surroundWithSpaces } from '../context/phrases.ts'
import { usePlatform } from '../context/platform.ts'
import type { TermsDialogProps } from './terms-dialog.tsx'

type TermsLink = { href: string; name: string }
type OpenTerms = TermsLink & { Dialog: ComponentType<TermsDialogProps> }

/**
 * Links to the operator's terms: "Terms of Use and Privacy Policy" (spec/pages#terms-links). They open in a new
 * tab. On a phone, where it is hard to get back from a new tab, they open over this page instead.
 */
export function TermsLinks() {
  const { experience, language } = useBoot()
  const { termsOfUseUrl, privacyPolicyUrl } = experience
  const t = useT()
  const isHydrated = useIsHydrated()
  const platform = usePlatform()
  const [openTerms, setOpenTerms] = useState<OpenTerms | null>(null)
  const opensHere = isHydrated && platform === 'mobile'
  const links = [
    { href: termsOfUseUrl, name: t('description.terms_of_use') },
    { href: privacyPolicyUrl, name: t('description.privacy_policy') },
  ].filter((link): link is TermsLink => Boolean(link.href))

  function show(event: MouseEvent, link: TermsLink) {
    event.preventDefault()
    import('./terms-dialog.tsx').then(
      ({ TermsDialog }) => setOpenTerms({ ...link, Dialog: TermsDialog }),
      // Loading fails if the file no longer exists, for example after a deployment.
      () => openPage(link.href),
    )
  }

  return (
    <>
      {links.map((link, index) => (
        <Fragment key={link.href}>
          {index > 0 && surroundWithSpaces(t('description.and'), language)}
          <a
            className="link terms-link"
            href={link.href}
            target="_blank"
            rel="noopener"
            aria-haspopup={opensHere ? 'dialog' : undefined}
            onClick={opensHere ? (event) => show(event, link) : undefined}
          >
            {link.name}
            {!opensHere && <span className="visually-hidden"> {t('vestibule.opens_new_tab')}</span>}
          </a>
        </Fragment>
      ))}
      {openTerms && (
        <openTerms.Dialog href={openTerms.href} name={openTerms.name} onClose={() => setOpenTerms(null)} />
      )}
    </>
  )
}
