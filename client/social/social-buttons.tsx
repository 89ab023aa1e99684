import type { ReactNode } from 'react'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { JourneyForm, type JourneyFormProps } from '../forms/journey-form.tsx'
import { TermsCheckbox, useAskForAgreement } from '../forms/terms-agreement.tsx'
import { Button } from '../ui/button.tsx'
import { useSocialConnectors } from './social-connectors.ts'
import { SocialLogo } from './social-logo.tsx'

/** The largest number of providers that are listed by name. If there are more, they are shown as a row of icons. */
const MAX_IN_WORDS = 3 // spec/pages#social-buttons

/**
 * The form of a page that has only social buttons. It also contains the checkbox for agreeing to the terms
 * (spec/pages#terms-agreement).
 */
export function SocialForm({
  event,
  validate,
  before,
}: Pick<JourneyFormProps, 'validate'> & { event: InteractionEvent; before?: ReactNode }) {
  const agree = useAskForAgreement()
  return (
    <SocialButtons isMain validate={validate} resolve={agree} before={before}>
      {(problems) => <TermsCheckbox event={event} problem={problems.termsAgreement} />}
    </SocialButtons>
  )
}

/**
 * Offers social providers, below the word "or" if there is another form. All buttons are in a single form, so each
 * sends the fields in `children`. `before` is another way to continue, which comes first.
 */
export function SocialButtons({
  isMain = false,
  before,
  children = () => null,
  ...form
}: Partial<Pick<JourneyFormProps, 'isMain' | 'validate' | 'resolve' | 'children'>> & { before?: ReactNode }) {
  const { language } = useBoot()
  const t = useT()
  const socialConnectors = useSocialConnectors()
  const hasConnectors = socialConnectors.length > 0
  if (!hasConnectors && !before) return null
  const isRow = socialConnectors.length > MAX_IN_WORDS
  return (
    <div className="social">
      {!isMain && <p className={hasConnectors ? 'or' : 'or needs-script'}>{t('description.or')}</p>}
      {before}
      {hasConnectors && (
        <JourneyForm intent="social" isMain={isMain} {...form}>
          {(problems) => (
            <>
              {children(problems)}
              <div className={isRow ? 'social-row' : 'social-list'}>
                {socialConnectors.map((connector) => {
                  const label = t('action.sign_in_with', {
                    name: connector.name[language] ?? connector.name.en,
                  })
                  return (
                    <Button
                      key={connector.id}
                      kind="quiet"
                      name="connectorId"
                      value={connector.id}
                      title={isRow ? label : undefined}
                    >
                      <SocialLogo {...connector} />
                      {isRow ? <span className="visually-hidden">{label}</span> : label}
                    </Button>
                  )
                })}
              </div>
            </>
          )}
        </JourneyForm>
      )}
    </div>
  )
}
