import type { SettingsChange } from './change.ts'
import { isObject, type JsonObject, stringItems } from './json.ts'
import { type Secrets, secretsWithin } from './secrets.ts'
import type { ConfigState } from './state.ts'

/**
 * The server replaces the credentials of applications that get scopes of its own APIs (spec/management#replaced-credentials). What
 * the file says about those is sent behind all changes, so that the next plan finds nothing to do.
 */
export function credentialsToSend(
  changes: readonly SettingsChange[],
  { applications = {}, roleApplications = {} }: Partial<ConfigState>,
  secrets: Secrets,
): Map<string, JsonObject> {
  const promoted = new Set(changes.flatMap((change) => promotedBy(change, roleApplications)))
  return new Map(
    [...promoted].flatMap((id) => {
      const application = applications[id]
      const credentials = application && credentialsOf(id, application, secrets)
      return credentials && Object.keys(credentials).length > 0 ? [[id, credentials]] : []
    }),
  )
}

/** More than those that the server means: what is sent of the others is what they have. */
function promotedBy(change: SettingsChange, roleApplications: Record<string, JsonObject>): readonly string[] {
  if (change.action === 'delete') return []
  switch (change.section) {
    case 'applications':
      return change.after.isAdmin === true && change.fields.some(({ path: [key] }) => key === 'isAdmin')
        ? [change.id]
        : []
    case 'roles':
      return change.fields.some(({ path: [key] }) => key === 'scopes')
        ? stringItems(roleApplications[change.id]?.applications)
        : []
    case 'roleApplications':
      return stringItems(change.after.applications)
    case 'resources':
    case 'scopes':
    case 'connectors':
    case 'phrases':
    case 'settings':
    case 'experience':
    case 'hooks':
      return []
  }
}

/** A variable that is not set leaves the server its new secret. */
function credentialsOf(
  id: string,
  { secret, customClientMetadata }: JsonObject,
  secrets: Secrets,
): JsonObject {
  const place = ['applications', id]
  const isSet = (key: string) =>
    secretsWithin(secrets, [...place, key]).every(({ value }) => value !== undefined)
  const custom = isObject(customClientMetadata) ? customClientMetadata : {}
  const { jwks, jwksUri } = custom
  const hasKeys = (jwks !== undefined || jwksUri !== undefined) && isSet('customClientMetadata')
  return {
    ...(secret !== undefined && isSet('secret') && { secret }),
    ...(hasKeys && {
      customClientMetadata: {
        ...(jwks !== undefined && { jwks }),
        ...(jwksUri !== undefined && { jwksUri }),
      },
    }),
  }
}
