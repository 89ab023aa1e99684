import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  IDENTIFIER_MAX_LENGTH,
  type Identifier,
  type IdentifierType,
} from '../../src/contract/interactions/identifiers.ts'
import { guessIdentifierType } from '../../src/domain/experience/experience-rules.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { identifierLabel } from '../journeys/identifier-names.ts'
import {
  COUNTRY_CODE_FIELD,
  loadNumberingPlans,
  splitPhone,
  stripPunctuation,
  useNumberingPlans,
} from '../phones/phones.ts'
import { CountryCode } from '../ui/country-code.tsx'
import { Field } from '../ui/field.tsx'

/**
 * A single field for all accepted identifier types (spec/pages#identifier-field). Before hydration it is a plain
 * input; afterwards it shows the calling code as soon as the text is a phone number. It is an uncontrolled input.
 * Its initial value comes from the form that the server rejected, or else from the previous page.
 */
export function IdentifierField({
  accepted,
  problem,
  isFirst,
  hasPassword,
}: {
  accepted: readonly IdentifierType[]
  problem?: string | undefined
  /** True if the form also asks for the password. */
  hasPassword?: boolean | undefined
  /** True if this is the identifier field of the first page, where it may offer passkeys. */
  isFirst?: true | undefined
}) {
  const boot = useBoot()
  const t = useT()
  const previous = useCurrentPage().navigation?.identifier
  const box = useRef<HTMLInputElement>(null)
  const [initial] = useState(() =>
    initialValues(
      boot.values,
      previous && !previous.account && accepted.includes(previous.type) ? previous : undefined,
    ),
  )
  const [type, setType] = useState(() =>
    guess(initial.text, accepted, initial.code === null ? null : 'phone'),
  )
  const [isInternational, setInternational] = useState(false)
  const [chosenCode, setChosenCode] = useState(initial.code)
  const [help, setHelp] = useState<ReactNode>()
  const phones = useNumberingPlans()

  const isPhone = type === 'phone'
  const code = chosenCode ?? (isPhone && phones ? phones.getHomeCountry(boot).code : null)
  const isShown = isPhone && !isInternational

  useEffect(() => {
    // Without the numbering plans, the field works as it does without JavaScript.
    if (isPhone) loadNumberingPlans().catch(() => {})
  }, [isPhone])

  function update(): void {
    const text = box.current?.value ?? ''
    setType((current) => guess(text, accepted, current))
    setInternational(text.trimStart().startsWith('+'))
  }

  /** Moves the calling code of an international number from the text to the country button. */
  async function moveCountry(): Promise<void> {
    const text = box.current?.value.trim() ?? ''
    if (guess(text, accepted, type) !== 'phone' || !/^(?:\+|00)/.test(text)) return
    const { parsePhone, getHomeCountry } = await loadNumberingPlans()
    const number = parsePhone(text, code ?? getHomeCountry(boot).code)
    if (!number || !box.current || box.current.value.trim() !== text) return
    // Update synchronously. Otherwise, a form submitted in between would send the number without its calling code.
    flushSync(() => {
      setChosenCode(number.callingCode)
      setInternational(false)
    })
    box.current.value = number.national
  }

  /** Loads the help for mistyped addresses as soon as there is an address to check. */
  async function loadHelp({ currentTarget, timeStamp }: FormEvent<HTMLInputElement>): Promise<void> {
    if (help || !accepted.includes('email') || !currentTarget.value.includes('@')) return
    const { AddressHelp } = await import('./address-help.tsx')
    setHelp(<AddressHelp field={box} typedAt={timeStamp} />)
  }

  // The user or the browser may have filled in the field before hydration.
  const readInitialText = useEffectEvent(() => {
    update()
    moveCountry().catch(() => {})
  })
  useEffect(() => readInitialText(), [])

  return (
    <Field
      {...inputFor(accepted, { offersPasskeys: isFirst && boot.experience.passkeys, hasPassword })}
      name="identifier"
      label={t(identifierLabel(accepted))}
      problem={problem}
      defaultValue={initial.text}
      isClearable
      onClear={update}
      onInput={(event) => {
        update()
        loadHelp(event).catch(() => {})
        if (!isTyped(event)) moveCountry().catch(() => {})
      }}
      onBlur={() => moveCountry().catch(() => {})}
      box={box}
      below={help}
      leading={
        accepted.includes('phone') && (
          <>
            <CountryCode code={code} isShown={isShown} onChoose={setChosenCode} field={box} />
            {isShown && code && <input type="hidden" name={COUNTRY_CODE_FIELD} value={code} />}
          </>
        )
      }
      required
    />
  )
}

const guess = (text: string, accepted: readonly IdentifierType[], current: IdentifierType | null) =>
  guessIdentifierType(stripPunctuation(text.trim()), accepted, current)

/** Checks whether the user typed a single character, as opposed to pasting or autofilling text. */
function isTyped({ nativeEvent }: FormEvent<HTMLInputElement>): boolean {
  if (!(nativeEvent instanceof InputEvent)) return false
  const { inputType, data } = nativeEvent
  return inputType === 'insertText' ? data?.length === 1 : /^(?:insertComposition|delete)/.test(inputType)
}

function initialValues(
  values: Readonly<Record<string, string>>,
  previous: Identifier | undefined,
): { text: string; code: string | null } {
  if (values.identifier !== undefined) {
    return { text: values.identifier, code: values[COUNTRY_CODE_FIELD] || null }
  }
  if (previous?.type !== 'phone') return { text: previous?.value ?? '', code: null }
  const { callingCode, national } = splitPhone(previous.value)
  return { text: national, code: callingCode }
}

const PHONE_TEXT_MAX_LENGTH = 250 // spec/pages#phone-numbers

/**
 * Returns the input attributes for keyboards and password managers (spec/pages#autocomplete). Browsers support
 * only one field name in `autocomplete`. Password managers fill in `username` with any identifier, including
 * email addresses, and pair it with the password of the same form. With `off`, they would save a new password without
 * its username (WCAG 2.2 SC 1.3.5).
 */
function inputFor(
  accepted: readonly IdentifierType[],
  {
    offersPasskeys,
    hasPassword,
  }: { offersPasskeys?: boolean | undefined; hasPassword?: boolean | undefined },
) {
  const more = offersPasskeys ? ' webauthn' : ''
  const shared = {
    autoCapitalize: 'none',
    dir: 'auto', // names and addresses have their own text direction
    autoCorrect: 'off',
    spellCheck: false,
    enterKeyHint: hasPassword ? ('next' as const) : ('go' as const),
    maxLength: accepted.includes('phone') ? PHONE_TEXT_MAX_LENGTH : IDENTIFIER_MAX_LENGTH,
  }
  const [only, ...others] = accepted
  switch (others.length === 0 ? only : undefined) {
    case 'email':
      return { ...shared, type: 'email', autoComplete: `${hasPassword ? 'username' : 'email'}${more}` }
    case 'phone':
      return { ...shared, type: 'tel', inputMode: 'tel', autoComplete: `tel${more}` } as const
    case 'username':
    case undefined:
      return {
        ...shared,
        type: 'text',
        inputMode: accepted.includes('email') ? 'email' : undefined,
        autoComplete: `username${more}`,
      } as const
  }
}
