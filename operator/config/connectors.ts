import { messageConnectorTypes } from '../../src/contract/connectors.ts'
import { findSocialFactory } from '../../src/contract/social-connectors.ts'
import { type Item, isObject, type Json } from './json.ts'
import { ONLY, type State } from './state.ts'

const messageTypes: Record<string, string> = messageConnectorTypes

/** Connectors with the same slot exclude each other: the message type, or the platform and target of a social one. */
export function slotOf(connector: Item): string {
  const factoryId = String(connector.connectorId)
  const social = findSocialFactory(factoryId)
  if (social) return `${social.platform} ${targetOf(connector)}`
  return Object.hasOwn(messageTypes, factoryId) ? `${messageTypes[factoryId]}` : factoryId
}

/** The target of a social connector; null for one that sends messages. */
export function targetOf(connector: Item): string | null {
  const social = findSocialFactory(String(connector.connectorId))
  return social && (ownTarget(connector) ?? social.target)
}

export function ownTarget({ metadata }: Item): string | undefined {
  const target = isObject(metadata) ? metadata.target : undefined
  return typeof target === 'string' ? target : undefined
}

/** Neither can be changed (spec/management#connectors-api): the connector is deleted and created again under its id. */
export const isReplacement = (before: Item, after: Item): boolean =>
  before.connectorId !== after.connectorId || ownTarget(before) !== ownTarget(after)

/**
 * Deleting a connector removes its target from the experience (spec/management#connectors-api), also when another connector of
 * that target replaces it. So the experience is compared as it is after the deletion, and the target is added again.
 */
export function withRenewedTargets(
  current: State,
  desired: Partial<State>,
): { current: State; desired: Partial<State> } {
  if (!desired.connectors) return { current, desired }
  const { experience } = current
  const listed = stringItems(experience[ONLY]?.socialSignInConnectorTargets)
  const stays = Object.entries(current.connectors).flatMap(([id, before]) => {
    const after = desired.connectors?.[id]
    return after && !isReplacement(before, after) ? targetOf(before) : []
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

export const stringItems = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
