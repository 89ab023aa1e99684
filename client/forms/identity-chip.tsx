import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Identifier } from '../../src/contract/interactions/identifiers.ts'
import { maskIdentifier } from '../../src/domain/masking.ts'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { formatPhone } from '../phones/phones.ts'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { PersonIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'

/**
 * Shows the identifier of this step, with a link back to the page where it was entered (spec/pages#identity).
 * `sentence` puts the identifier in context for screen readers; visually, the heading does.
 */
export function IdentityChip({
  identifier,
  sentence,
  masksPhone = false,
}: {
  identifier: Identifier
  sentence: string
  masksPhone?: boolean
}) {
  const { type, value } = identifier
  const formatted = type === 'phone' ? formatPhone(value) : value
  const isMasked = masksPhone && type === 'phone'
  return (
    <Chip sentence={sentence} name={isMasked ? maskIdentifier(identifier) : formatted}>
      <EditLink />
    </Chip>
  )
}

/** Links back to the page where the identifier of this step was entered. */
export function EditLink() {
  const t = useT()
  const { navigation, entry } = useCurrentPage()
  const back = useReactionDispatcher().back(1)
  if (!back) return null
  return (
    <Link
      className="link"
      href={back.href}
      replace
      // The previous page fills in its identifier field again.
      state={{ depth: entry?.depth ?? 0, navigation: navigation ?? undefined }}
      onClick={(event) => {
        if (back.go()) event.preventDefault()
      }}
    >
      {t('vestibule.edit')}
    </Link>
  )
}

/**
 * Shows a name, which the style sheet truncates if it is long: an email address before the @ as far as possible, so
 * that its domain can be read. Pointers get the full name as a tooltip, and screen readers within the sentence. The
 * name has its own text direction.
 */
export function Chip({
  sentence,
  name,
  picture = <PersonIcon />,
  children,
}: {
  sentence: string
  name: string
  picture?: ReactNode
  children?: ReactNode
}) {
  const at = name.includes('@') ? name.lastIndexOf('@') : name.length
  return (
    <>
      <span className="visually-hidden">{withLink(sentence, <bdi>{name}</bdi>)} </span>
      <span className="chip">
        {picture}
        <bdi className="chip-name" aria-hidden="true" title={name}>
          <span>{name.slice(0, at)}</span>
          <span>{name.slice(at)}</span>
        </bdi>
        {children}
      </span>
    </>
  )
}
