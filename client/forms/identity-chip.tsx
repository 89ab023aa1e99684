import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Identifier } from '../../src/contract/interactions/identifiers.ts'
import { useHere, useT } from '../context/boot.tsx'
import { shownPhone } from '../phones/phones.ts'
import { useReactions } from '../reactions/reaction-dispatcher.tsx'
import { PersonIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'

/**
 * Who this step is about, with the way back to the page that asked (spec/pages#identity). `sentence` says what is to be done for
 * it; beside the heading that is needed by screen readers alone.
 */
export function IdentityChip({ identifier, sentence }: { identifier: Identifier; sentence: string }) {
  const t = useT()
  const { navigation, entry } = useHere()
  const back = useReactions().back(1)
  const { type, value } = identifier
  return (
    <Chip sentence={sentence} name={type === 'phone' ? shownPhone(value) : value}>
      {back && (
        <Link
          className="link"
          href={back.href}
          replace
          // The page before has the identifier in its field again.
          state={{ depth: entry?.depth ?? 0, navigation: navigation ?? undefined }}
          onClick={(event) => {
            if (back.go()) event.preventDefault()
          }}
        >
          {t('vestibule.edit')}
        </Link>
      )}
    </Chip>
  )
}

/** A long name is cut by the styles; screen readers get the sentence, with the whole of it. It has a direction of its own. */
export function Chip({
  sentence,
  name,
  picture = <PersonIcon />,
  children,
}: {
  sentence: string
  name: string
  picture?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <span className="visually-hidden">{withLink(sentence, <bdi>{name}</bdi>)} </span>
      <span className="chip">
        {picture}
        <bdi className="chip-name" aria-hidden="true">
          {name}
        </bdi>
        {children}
      </span>
    </>
  )
}
