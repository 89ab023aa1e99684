import { messageConnectorTypes } from '../../src/contract/connectors/connectors.ts'
import { findSocialFactory } from '../../src/contract/social/social-connectors.ts'
import { isObject, type JsonObject, stringItems } from './json.ts'
import { type ConfigState, SINGLETON_ID } from './state.ts'

const messageTypes: Record<string, string> = messageConnectorTypes

/** Connectors with the same slot exclude each other: the message type, or the platform and target of a social one. */
export function slotOf(connector: JsonObject): string {
  const factoryId = String(connector.connectorId)
  const social = findSocialFactory(factoryId)
  if (social) return `${social.platform} ${targetOf(connector)}`
  return Object.hasOwn(messageTypes, factoryId) ? `${messageTypes[factoryId]}` : factoryId
}

/** The target of a social connector; null for one that sends messages. */
export function targetOf(connector: JsonObject): string | null {
  const social = findSocialFactory(String(connector.connectorId))
  return social && (customTarget(connector) ?? social.target)
}

export function customTarget({ metadata }: JsonObject): string | undefined {
  const target = isObject(metadata) ? metadata.target : undefined
  return typeof target === 'string' ? target : undefined
}

/** Neither can be changed (spec/management#connectors-api): the connector is deleted and created again under its id. */
export const needsReplacement = (before: JsonObject, after: JsonObject): boolean =>
  before.connectorId !== after.connectorId || customTarget(before) !== customTarget(after)

/**
 * Deleting a connector removes its target from the experience (spec/management#connectors-api), also when another connector of
 * that target replaces it. So the experience is compared as it is after the deletion, and the target is added again.
 */
export function withRenewedTargets(
  current: ConfigState,
  desired: Partial<ConfigState>,
): { current: ConfigState; desired: Partial<ConfigState> } {
  if (!desired.connectors) return { current, desired }
  const { experience } = current
  const listed = stringItems(experience[SINGLETON_ID]?.socialSignInConnectorTargets)
  const stays = Object.entries(current.connectors).flatMap(([id, before]) => {
    const after = desired.connectors?.[id]
    return after && !needsReplacement(before, after) ? targetOf(before) : []
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
      experience: { [SINGLETON_ID]: { ...experience[SINGLETON_ID], socialSignInConnectorTargets: left } },
    },
    desired: {
      ...desired,
      experience: {
        [SINGLETON_ID]: { socialSignInConnectorTargets: listed, ...desired.experience?.[SINGLETON_ID] },
      },
    },
  }
}
