import { messageConnectorTypes } from '../../src/contract/connectors.ts'
import { findSocialRow } from '../../src/contract/social-connectors.ts'
import { type Item, isObject, type Json } from './json.ts'
import { ONLY, type State } from './state.ts'

const messageTypes: Record<string, string> = messageConnectorTypes

/** Connectors of which there can be one at a time: of one type for messages, of one target to sign in with. */
export function slotOf(connector: Item): string {
  const factoryId = String(connector.connectorId)
  const social = findSocialRow(factoryId)
  if (social) return `${social.platform} ${targetOf(connector)}`
  return Object.hasOwn(messageTypes, factoryId) ? `${messageTypes[factoryId]}` : factoryId
}

/** What the identities of a social connector are filed under; null for one that sends messages. */
export function targetOf(connector: Item): string | null {
  const social = findSocialRow(String(connector.connectorId))
  return social && (ownTarget(connector) ?? social.target)
}

export function ownTarget({ metadata }: Item): string | undefined {
  const target = isObject(metadata) ? metadata.target : undefined
  return typeof target === 'string' ? target : undefined
}

/** Neither can be changed (contract 8.2): the one goes, and another comes under its id. */
export const isAnother = (before: Item, after: Item): boolean =>
  before.connectorId !== after.connectorId || ownTarget(before) !== ownTarget(after)

/**
 * A connector that goes takes its target off the experience (contract 8.2), also when it only makes room for another of
 * that target. So the experience is compared as it will be by then, and the target is put back.
 */
export function putBack(
  current: State,
  desired: Partial<State>,
): { current: State; desired: Partial<State> } {
  if (!desired.connectors) return { current, desired }
  const { experience } = current
  const listed = texts(experience[ONLY]?.socialSignInConnectorTargets)
  const stays = Object.entries(current.connectors).flatMap(([id, before]) => {
    const after = desired.connectors?.[id]
    return after && !isAnother(before, after) ? targetOf(before) : []
  })
  const was = Object.values(current.connectors).map(targetOf)
  const willBe = Object.values(desired.connectors).map(targetOf)
  const renewed = listed.filter(
    (target) => was.includes(target) && willBe.includes(target) && !stays.includes(target),
  )
  if (renewed.length === 0) return { current, desired }
  const left = listed.filter((target) => !renewed.includes(target))
  return {
    current: {
      ...current,
      experience: { [ONLY]: { ...experience[ONLY], socialSignInConnectorTargets: left } },
    },
    desired: {
      ...desired,
      experience: { [ONLY]: { socialSignInConnectorTargets: listed, ...desired.experience?.[ONLY] } },
    },
  }
}

export const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
