import { useRef, useState } from 'react'
import { findBrokenRule, type PasswordRule } from '../../src/domain/passwords/password-policy.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import {
  getPasswordRules,
  isPasswordTypedTwice,
  validateNewPassword,
} from '../journeys/new-password-problems.ts'
import type { Validator } from '../journeys/problems.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { PasswordField } from '../ui/field.tsx'
import { JourneyForm } from './journey-form.tsx'
import { type BrokenRule, PasswordRules, RuleAnnouncement, useMetRules } from './password-rules.tsx'
import { UsernameHint } from './username-hint.tsx'

/**
 * Asks for a new password. It must be typed twice only if forgotten passwords cannot be reset
 * (spec/pages#password-fields).
 */
export function NewPasswordForm() {
  const boot = useBoot()
  const t = useT()
  const { path, navigation } = useCurrentPage()
  const identifier = navigation?.identifier
  const isHydrated = useIsHydrated()
  const [isShown, setShown] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { met, check } = useMetRules(field)
  const isTypedTwice = isPasswordTypedTwice(boot)
  const toggle = () => setShown(!isShown)
  const [rejectedRule, setRejectedRule] = useState<PasswordRule>()
  const validate: Validator = (form, context) => {
    setRejectedRule(findBrokenRule(form.newPassword ?? '', getPasswordRules(boot.experience)))
    return validateNewPassword(form, context)
  }
  /** Returns the broken rule, until the password no longer breaks it. */
  const brokenRule = (message: string | undefined): BrokenRule | undefined =>
    message && rejectedRule && !met[rejectedRule] ? { rule: rejectedRule, message } : undefined
  return (
    <JourneyForm validate={validate}>
      {(problems) => (
        <>
          {identifier && <UsernameHint {...identifier} />}
          <RuleAnnouncement met={met} />
          <PasswordField
            name="newPassword"
            label={t('input.password')}
            problem={rejectedRule && met[rejectedRule] ? undefined : problems.newPassword}
            hint={<PasswordRules met={met} broken={brokenRule(problems.newPassword)} />}
            box={field}
            enterKeyHint={isTypedTwice ? 'next' : 'done'}
            onInput={check}
            onClear={check}
            autoComplete="new-password"
            isShown={isShown}
            onToggle={isTypedTwice ? undefined : toggle}
            isClearable={isTypedTwice}
            required
          />
          {isTypedTwice && (
            <PasswordField
              name="confirmPassword"
              label={t('input.confirm_password')}
              problem={problems.confirmPassword}
              enterKeyHint="done"
              autoComplete="new-password"
              isShown={isShown}
              isClearable
              required
            />
          )}
          {isTypedTwice && (
            // The checkbox does nothing without JavaScript, but its space is reserved.
            <Checkbox name="toggle-password" inert={!isHydrated} checked={isShown} onChange={toggle}>
              {t('action.show_password')}
            </Checkbox>
          )}
          <Button name="submit">
            {t(path === '/forgot-password/reset' ? 'action.save_password' : 'action.continue')}
          </Button>
        </>
      )}
    </JourneyForm>
  )
}
