import type { Dependencies } from '../dependencies.ts'
import type { UnregisteredDocuments } from './unregistered-clients.ts'

/** Loaded with the first such client. */
export const createUnregisteredDocuments =
  (dependencies: Pick<Dependencies, 'db' | 'network' | 'settings' | 'now'>): UnregisteredDocuments =>
  async (...args) => {
    const { readUnregisteredClient } = await import('./read-unregistered-client.ts')
    return readUnregisteredClient(dependencies, ...args)
  }
