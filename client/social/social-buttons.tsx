import type { ComponentProps } from 'react'
import { useBoot, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { Button } from '../ui/button.tsx'
import { useSocialConnectors } from './social-connectors.ts'
import { SocialLogo } from './social-logo.tsx'

type FormParts = Partial<Pick<ComponentProps<typeof JourneyForm>, 'validate' | 'resolve' | 'children'>>

/** More than these are a row of icons. */
const MOST_IN_WORDS = 3 // spec/pages#social-buttons

/** Sign-in by social providers, below "or" where there is another way. One form: the fields of `children` belong to each button. */
export function SocialButtons({
  isAlone,
  children = () => null,
  ...parts
}: { isAlone: boolean } & FormParts) {
  const { language } = useBoot()
  const t = useT()
  const socialConnectors = useSocialConnectors()
  if (socialConnectors.length === 0) return null
  const isRow = socialConnectors.length > MOST_IN_WORDS
  return (
    <div className="social">
      {!isAlone && <p className="or">{t('description.or')}</p>}
      <JourneyForm intent="social" isMain={isAlone} {...parts}>
        {(problems) => (
          <>
            {children(problems)}
            <div className={isRow ? 'social-row' : 'social-list'}>
              {socialConnectors.map((connector) => {
                const words = t('action.sign_in_with', {
                  name: connector.name[language] ?? connector.name.en,
                })
                return (
                  <Button
                    key={connector.id}
                    kind="quiet"
                    name="connectorId"
                    value={connector.id}
                    title={isRow ? words : undefined}
                  >
                    <SocialLogo {...connector} />
                    {isRow ? <span className="visually-hidden">{words}</span> : words}
                  </Button>
                )
              })}
            </div>
          </>
        )}
      </JourneyForm>
    </div>
  )
}
