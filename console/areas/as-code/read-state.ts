import { type ReadAnswer, readState } from '../../../operator/config/current-state.ts'
import { call } from '../../api/client.ts'
import type { ManagementScope } from '../../session/scopes.ts'

/** The scopes of all its calls. */
export const REQUIRED_SCOPES: readonly ManagementScope[] = [
  'applications:read',
  'experience:read',
  'connectors:read',
  'roles:read',
  'hooks:read',
  'settings:read',
]

/** The tenant as the objects of a settings file: what `npm run config -- export` reads, by the same calls. */
export const readTenant = () =>
  readState((async (_name, path, query = {}) => (await call(`/${path}`, { query })).data) as ReadAnswer)
