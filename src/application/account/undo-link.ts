import { originForMessages } from '../../domain/tenants/hosts.ts'
import { isUndoable } from '../../storage/account/undoable-addresses.ts'
import type { Notice } from '../../storage/connectors/notices.ts'
import type { SealLabel } from '../../storage/seal.ts'
import type { Dependencies } from '../dependencies.ts'

export const UNDO_PATH = '/account/undo'
export const UNDO_PARAM = 'change'

/**
 * Returns the undo link for the owner of an address, or undefined for notices without one. The link is created when the
 * message is sent, because it requires the root secret, and the database stores only the change's id.
 */
export async function createUndoLink(
  { seals, settings }: Pick<Dependencies, 'seals' | 'settings'>,
  { tenantId, host, id }: Pick<Notice, 'tenantId' | 'host' | 'id'>,
): Promise<string | undefined> {
  if (!isUndoable(id)) return undefined
  const sealed = await seals.seal(label(tenantId), id)
  const { isDevelopment } = settings.hosting
  const origin = originForMessages(host, { ...settings, isDevelopment })
  return `${origin}${UNDO_PATH}?${UNDO_PARAM}=${sealed}`
}

/** Returns the change's id from an undo link, or null if the link is damaged or belongs to another tenant. */
export async function readUndoLink(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  sealed: string,
): Promise<string | null> {
  const opened = await seals.open(label(tenantId), sealed)
  return typeof opened === 'string' ? opened : null
}

const label = (tenantId: string): SealLabel => `address-undo/${tenantId}`
