import { type SocialFactoryId, socialFactories } from '../../contract/social/social-connectors.ts'
import type { DemoSocial } from '../../contract/tenants/settings.ts'

/** The factory of the real connector that can replace each provider's demo connector. */
const factories = {
  google: 'google-universal',
  github: 'github-universal',
  discord: 'discord-universal',
} as const satisfies Record<DemoSocial['provider'], SocialFactoryId>

/** A social button without an installed connector (spec/connectors#demo-connectors, ADR-0040). */
export type Demo = Omit<DemoSocial, 'name'> & {
  id: `demo-${DemoSocial['provider']}`
  factoryId: SocialFactoryId
  target: string
  name: Record<string, string>
}

/** Returns one demo connector per provider, because buttons are distinguished by their targets. */
export function toDemos(settings: readonly DemoSocial[]): Demo[] {
  const first = settings.filter(
    ({ provider }, at) => settings.findIndex((other) => other.provider === provider) === at,
  )
  return first.map(({ name, ...demo }) => {
    const factoryId = factories[demo.provider]
    const { target } = socialFactories[factoryId]
    return { ...demo, id: `demo-${demo.provider}`, factoryId, target, name: { en: name } }
  })
}

/** Returns the demo connectors that have one of these targets. */
export const filterUsedDemos = (
  settings: readonly DemoSocial[],
  targets: readonly string[],
): DemoSocial[] => {
  const used = new Set(
    toDemos(settings).flatMap(({ provider, target }) => (targets.includes(target) ? [provider] : [])),
  )
  return settings.filter(({ provider }) => used.has(provider))
}
