import { messageConnectorTypes } from '../../src/contract/connectors/connectors.ts'
import { findSocialFactory } from '../../src/contract/social/social-connectors.ts'
import { isObject, type JsonObject, stringItems } from './json.ts'
import { type ConfigState, SINGLETON_ID } from './state.ts'

const messageTypes: Record<string, string> = messageConnectorTypes

/**
 * Returns the slot of a connector: the message type, or the platform and target of a social connector. Only one
 * connector can occupy a slot.
 */
export function getConnectorSlot(connector: JsonObject): string {
  const factoryId = String(connector.connectorId)
  const social = findSocialFactory(factoryId)
  if (social) return `${social.platform} ${getConnectorTarget(connector)}`
  return Object.hasOwn(messageTypes, factoryId) ? `${messageTypes[factoryId]}` : factoryId
}

/** Returns the target of a social connector, or null for a connector that sends messages. */
export function getConnectorTarget(connector: JsonObject): string | null {
  const social = findSocialFactory(String(connector.connectorId))
  return social && (getCustomTarget(connector) ?? social.target)
}

export function getCustomTarget({ metadata }: JsonObject): string | undefined {
  const target = isObject(metadata) ? metadata.target : undefined
  return typeof target === 'string' ? target : undefined
}

/**
 * Checks whether a connector has to be deleted and created again under the same id because its factory or target
 * changes, neither of which the API can change (spec/management#connectors-api).
 */
export const needsReplacement = (before: JsonObject, after: JsonObject): boolean =>
  before.connectorId !== after.connectorId || getCustomTarget(before) !== getCustomTarget(after)

/**
 * Makes the plan restore targets that are lost when connectors are replaced. Deleting a connector removes its target
 * from the experience (spec/management#connectors-api), even if another connector replaces it for the same target. The
 * plan therefore compares the desired experience with the one after the deletion.
 */
export function restoreTargets(
  current: ConfigState,
  desired: Partial<ConfigState>,
): { current: ConfigState; desired: Partial<ConfigState> } {
  if (!desired.connectors) return { current, desired }
  const { experience } = current
  const listed = stringItems(experience[SINGLETON_ID]?.socialSignInConnectorTargets)
  const keptTargets = Object.entries(current.connectors).flatMap(([id, before]) => {
    const after = desired.connectors?.[id]
    return after && !needsReplacement(before, after) ? getConnectorTarget(before) : []
  })
  const targetsBefore = Object.values(current.connectors).map(getConnectorTarget)
  const targetsAfter = Object.values(desired.connectors).map(getConnectorTarget)
  const renewed = listed.filter(
    (target) =>
      targetsBefore.includes(target) && targetsAfter.includes(target) && !keptTargets.includes(target),
  )
  if (renewed.length === 0) return { current, desired }
  const remaining = listed.filter((target) => !renewed.includes(target))
  return {
    current: {
      ...current,
      experience: {
        [SINGLETON_ID]: { ...experience[SINGLETON_ID], socialSignInConnectorTargets: remaining },
      },
    },
    desired: {
      ...desired,
      experience: {
        [SINGLETON_ID]: { socialSignInConnectorTargets: listed, ...desired.experience?.[SINGLETON_ID] },
      },
    },
  }
}
