import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { MANAGEMENT_CLIENT_ID } from '../src/contract/product.ts'
import type { Environment } from './environment.ts'
import { UsageError } from './failure.ts'
import { parseOrigin } from './origin.ts'
import { findStartedOrigin } from './started-origin.ts'

const DEFAULT_LOCAL_ORIGIN = 'http://localhost:8787' // spec/management#development

/** The values passed as arguments of a command. */
export type DeploymentValues = { origin?: string | undefined; 'client-id'?: string | undefined }

export type Credentials = { origin: string; isLocal: boolean; clientId: string; secret: string }

/**
 * Returns the deployment to call and the client to authenticate as. Arguments take precedence over the environment.
 *
 * @throws {UsageError} if a secret must not be sent to the origin, or if there is no secret
 */
export function readCredentials(
  values: DeploymentValues,
  { env, folder }: Pick<Environment, 'env' | 'folder'>,
): Credentials {
  const { origin, isLocal } = parseOrigin(values.origin ?? defaultOrigin({ env, folder }))

  const clientId = values['client-id'] ?? (env.VESTIBULE_CLIENT_ID || MANAGEMENT_CLIENT_ID)
  const secret = env.VESTIBULE_CLIENT_SECRET || (isLocal ? developmentSecret(folder) : undefined)
  if (!secret)
    throw new UsageError(
      `VESTIBULE_CLIENT_SECRET isn't set. Set it to the secret of the client "${clientId}" at ${origin}.`,
    )
  return { origin, isLocal, clientId, secret }
}

const defaultOrigin = ({ env, folder }: Pick<Environment, 'env' | 'folder'>): string =>
  env.VESTIBULE_ORIGIN || (findStartedOrigin(folder) ?? DEFAULT_LOCAL_ORIGIN)

/**
 * Returns the option with which another command reaches the same deployment, to be appended to advice. It is empty if
 * the command reaches it anyway.
 */
export const originOption = (origin: string, environment: Pick<Environment, 'env' | 'folder'>): string =>
  URL.parse(defaultOrigin(environment))?.origin === origin ? '' : ` --origin ${origin}`

/** Returns the secret of the server that `npm start` runs from the same folder. */
function developmentSecret(folder: string): string | undefined {
  const file = path.join(folder, '.dev.vars')
  if (!existsSync(file)) return undefined
  return /^\s*(?:export\s+)?MANAGEMENT_CLIENT_SECRET\s*=\s*"?([^"\s]+)/m.exec(readFileSync(file, 'utf8'))?.[1]
}
