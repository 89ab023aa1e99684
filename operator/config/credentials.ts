import { type Deployment, IgnoredResponse } from '../deployment.ts'
import type { SettingsChange } from './change.ts'
import { isObject, type JsonObject, stringItems } from './json.ts'
import { findSecretsWithin, type Secrets } from './secrets.ts'
import type { ConfigState } from './state.ts'

/**
 * Returns the credentials to send after all changes. The server replaces the credentials of an application when the
 * application gains scopes of the server's own APIs (spec/management#replaced-credentials). Sending the credentials of
 * the file again restores them, so that the next plan is empty.
 */
export function findCredentialsToSend(
  changes: readonly SettingsChange[],
  { applications = {}, roleApplications = {} }: Partial<ConfigState>,
  secrets: Secrets,
): Map<string, JsonObject> {
  const applicationIds = new Set(
    changes.flatMap((change) => applicationsWithNewScopes(change, roleApplications)),
  )
  return new Map(
    [...applicationIds].flatMap((id) => {
      const application = applications[id]
      const credentials = application && fileCredentials(id, application, secrets)
      return credentials && Object.keys(credentials).length > 0 ? [[id, credentials]] : []
    }),
  )
}

/**
 * Returns the applications that may gain scopes through a change. If the server keeps the credentials of some of them,
 * sending the same credentials again changes nothing.
 */
function applicationsWithNewScopes(
  change: SettingsChange,
  roleApplications: Record<string, JsonObject>,
): readonly string[] {
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
    case 'organizationScopes':
    case 'organizationRoles':
    case 'connectors':
    case 'phrases':
    case 'settings':
    case 'experience':
    case 'hooks':
      return []
  }
}

/**
 * Returns the credentials of an application in the file. If a variable is not set, the application keeps the server's
 * new secret.
 */
function fileCredentials(
  id: string,
  { secret, customClientMetadata }: JsonObject,
  secrets: Secrets,
): JsonObject {
  const place = ['applications', id]
  const isSet = (key: string) =>
    findSecretsWithin(secrets, [...place, key]).every(({ value }) => value !== undefined)
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

/**
 * Sends the applications' credentials after all other changes, because those changes can make the server replace the
 * credentials.
 */
export async function sendCredentials(
  credentials: ReadonlyMap<string, JsonObject>,
  { deployment }: { deployment: Deployment },
): Promise<void> {
  for (const [id, body] of credentials)
    await deployment.send('patch', `applications/${id}`, body, IgnoredResponse)
}
