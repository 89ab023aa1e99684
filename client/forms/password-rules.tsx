import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { PASSWORD_MIN_LENGTH } from '../../src/contract/interactions/identifiers.ts'
import type { PasswordRuleSet as RuleSet } from '../../src/contract/tenants/settings.ts'
import { checkPasswordRules, type PasswordRule } from '../../src/domain/passwords/password-policy.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { getPasswordRules } from '../journeys/new-password-problems.ts'

const RULES = ['length', 'classes', 'characters'] as const satisfies PasswordRule[]

type MetRules = ReturnType<typeof checkPasswordRules>

/** The rule that a password was rejected for, with the error message. */
export type BrokenRule = { rule: PasswordRule; message: string }

/**
 * Lists the requirements for a new password below its field (spec/pages#password-fields). With JavaScript, each
 * rule is marked as soon as the password meets it. After a rejection, all unmet rules are marked as broken, and the
 * error message replaces the text of the rule that it is about. Screen readers get that message from the field.
 */
export function PasswordRules({ met, broken }: { met: MetRules; broken?: BrokenRule | undefined }) {
  const t = useT()
  const textOf = useRuleTexts()
  const isHydrated = useIsHydrated()
  return (
    <ul className="password-rules">
      {RULES.filter((rule) => rule in met).map((rule) => {
        const isRejected = broken?.rule === rule
        return (
          <li
            key={rule}
            className="password-rule"
            data-kept={(isHydrated && met[rule]) || undefined}
            data-broken={(broken && !met[rule]) || undefined}
          >
            <span aria-hidden={isHydrated || undefined}>{isRejected ? broken.message : textOf(rule)}</span>
            {isHydrated && !isRejected && (
              <span className="visually-hidden">
                {t(met[rule] ? 'vestibule.rule_met' : 'vestibule.rule_unmet', { rule: textOf(rule) })}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/**
 * Announces the rules that the user has just met. This is separate from the list, because the list is the
 * description of the field.
 */
export function RuleAnnouncement({ met }: { met: MetRules }) {
  const t = useT()
  const textOf = useRuleTexts()
  const [before, setBefore] = useState(met)
  const [news, setNews] = useState<readonly PasswordRule[]>([])
  if (before !== met) {
    setBefore(met)
    setNews(RULES.filter((rule) => met[rule] && !before[rule]))
  }
  return (
    <p className="visually-hidden" role="status">
      {news.map((rule) => t('vestibule.rule_met', { rule: textOf(rule) })).join(' ')}
    </p>
  )
}

function useRuleTexts(): (rule: PasswordRule) => string {
  const t = useT()
  return (rule) => t(`vestibule.password_rule_${rule}`, { min: PASSWORD_MIN_LENGTH })
}

/** Returns which rules the text in a field meets. Empty text meets none. */
export function useMetRules(field: RefObject<HTMLInputElement | null>): { met: MetRules; check: () => void } {
  const rules = getPasswordRules(useBoot().experience)
  const [met, setMet] = useState(() => noneOf(rules))
  const check = () => {
    const password = field.current?.value
    setMet(password ? checkPasswordRules(password, rules) : noneOf(rules))
  }
  // The user or the browser may have filled in the field before hydration.
  const checkInitialText = useEffectEvent(check)
  useEffect(() => checkInitialText(), [])
  return { met, check }
}

const noneOf = (rules: RuleSet): MetRules =>
  Object.fromEntries(Object.keys(checkPasswordRules('', rules)).map((rule) => [rule, false]))
