import { type RefObject, useState } from 'react'
import { correctDomain } from '../../src/domain/interactions/mistyped-domain.ts'
import { typeInto, useTypedText } from '../browser/typed-text.ts'
import { useT } from '../context/boot.tsx'
import { withLink } from '../ui/rich-text.tsx'
import '../styles/address-help.css'

/**
 * Suggests a correction of a mistyped address below its field (spec/pages#mistyped-domains). It appears only while the
 * user types, and keeps its space from then on, so that no button moves when the user is about to press it.
 */
export function AddressHelp({
  field,
  typedAt,
}: {
  field: RefObject<HTMLInputElement | null>
  /** The time of the input that loaded this help, as `event.timeStamp`. */
  typedAt: number
}) {
  const t = useT()
  const [correction, setCorrection] = useState('')
  const [isOffered, setOffered] = useState(false)
  useTypedText(field, typedAt, (text) => {
    const correctedAddress = correctDomain(text)
    setOffered(correctedAddress !== null)
    if (correctedAddress) setCorrection(correctedAddress)
  })

  return (
    <p className="address-help" role="status">
      {correction && (
        <button
          type="button"
          data-unused={isOffered ? undefined : true}
          // A press leaves the focus in the field, and so leaves a phone's keyboard as it is.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => typeInto(field.current, correction)}
        >
          {withLink(t('vestibule.did_you_mean'), <bdi>{correction}</bdi>)}
        </button>
      )}
    </p>
  )
}
