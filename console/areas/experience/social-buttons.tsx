import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/queries.ts'
import { phrases, useLanguage, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import type { Connector, SettingsForm } from './settings.ts'
import { moveItem } from './sign-in-methods.ts'

const socialTexts = phrases({
  en: {
    lead: 'The providers that you’ve installed as connectors, in the order of their buttons.',
    none: 'No provider is installed yet.',
    up: 'Move {name} up',
    down: 'Move {name} down',
  },
  de: {
    lead: 'Anbieter, die als Konnektoren installiert sind, in der Reihenfolge der Buttons.',
    none: 'Noch ist kein Anbieter installiert.',
    up: '{name} nach oben',
    down: '{name} nach unten',
  },
})

/** Edits which providers have a button on the sign-in page, and in which order. */
export function SocialButtons({ settings, change, isReadOnly }: SettingsForm) {
  const t = useT(socialTexts, texts)
  const language = useLanguage()
  const mayRead = useCan('connectors:read')
  const { data, error, refetch } = useApi<Connector[]>('/connectors', { isEnabled: mayRead })
  const { socialSignInConnectorTargets: targets } = settings
  const social = (data?.data ?? []).filter(({ type }) => type === 'Social')
  const rows = [...new Set([...targets, ...social.map(({ target }) => target)])]
  const nameOf = (target: string) => {
    const name = social.find((one) => one.target === target)?.name
    return name?.[language] ?? name?.en ?? target
  }
  const [list, move] = useMoveTarget(targets, (next) => set(next))
  const set = (socialSignInConnectorTargets: string[]) => change({ socialSignInConnectorTargets })
  return (
    <Card title={t('socialSignInConnectorTargets')} lead={t('lead')}>
      {error && !data && <Loading failure={error} onRetry={refetch} />}
      {data && rows.length === 0 && (
        <p>
          {t('none')} <Link href="/connectors">{t('install')}</Link>
        </p>
      )}
      <ul className="social-rows" ref={list}>
        {rows.map((target) => {
          const at = targets.indexOf(target)
          const name = nameOf(target)
          return (
            <li key={target} data-target={target}>
              <Checkbox
                label={name}
                isSelected={at >= 0}
                isDisabled={isReadOnly}
                onChange={(isOffered) =>
                  set(isOffered ? [...targets, target] : targets.filter((one) => one !== target))
                }
              />
              <Button
                aria-label={t('up', { name })}
                isDisabled={isReadOnly || at <= 0}
                onPress={() => move(target, -1)}
              >
                ↑
              </Button>
              <Button
                aria-label={t('down', { name })}
                isDisabled={isReadOnly || at < 0 || at === targets.length - 1}
                onPress={() => move(target, 1)}
              >
                ↓
              </Button>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/**
 * Moves a row and keeps the focus on the pressed button. If that button becomes disabled because the row has reached
 * the end of the list, the row's other button receives focus.
 */
function useMoveTarget(targets: readonly string[], onMove: (targets: string[]) => void) {
  const list = useRef<HTMLUListElement>(null)
  const last = useRef<{ target: string; by: -1 | 1 } | null>(null)
  useEffect(() => {
    const { target, by } = last.current ?? {}
    last.current = null
    // This effect runs after each move, because each move creates a new list.
    if (!target || !targets.includes(target)) return
    const row = list.current?.querySelector(`[data-target="${CSS.escape(target)}"]`)
    const buttons = [...(row?.querySelectorAll('button') ?? [])]
    const pressed = buttons[by === -1 ? 0 : 1]
    const focused = pressed?.disabled ? buttons.find(({ disabled }) => !disabled) : pressed
    focused?.focus()
  }, [targets])
  const move = (target: string, by: -1 | 1) => {
    last.current = { target, by }
    onMove(moveItem(targets, targets.indexOf(target), by))
  }
  return [list, move] as const
}
