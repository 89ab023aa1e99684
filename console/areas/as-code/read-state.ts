import { type ReadApi, readState } from '../../../operator/config/current-state.ts'
import { call } from '../../api/client.ts'
import type { ManagementScope } from '../../session/scopes.ts'

/** The scopes that the calls of `readTenant` need. */
export const REQUIRED_SCOPES: readonly ManagementScope[] = [
  'applications:read',
  'experience:read',
  'connectors:read',
  'roles:read',
  'hooks:read',
  'settings:read',
]

/** Reads the tenant as the objects of a settings file, with the same calls as `npm run config -- export`. */
export const readTenant = () =>
  readState((async (_name, path, query = {}) => (await call(`/${path}`, { query })).data) as ReadApi)
