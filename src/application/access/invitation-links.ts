import { MINUTE } from '../../contract/time.ts'
import { randomId } from '../../storage/ids.ts'
import type { SealLabel } from '../../storage/seal.ts'
import type { Dependencies } from '../dependencies.ts'

export const INVITATION_PATH = '/account/invitation'
export const INVITATION_PARAM = 'token'

/**
 * The lifetime of an invitation that proves no address. We chose a time that is long enough to open a browser, but
 * short, because the link remains in the terminal's scrollback.
 */
export const DIRECT_INVITATION_LIFETIME = 10 * MINUTE

/** The number of characters in a token: 43 letters and digits give 255 bits of entropy. */
const TOKEN_LENGTH = 43

export const generateInvitationToken = (): string => randomId(TOKEN_LENGTH)

export const invitationUrl = (origin: string, token: string): string =>
  `${origin}${INVITATION_PATH}?${new URLSearchParams({ [INVITATION_PARAM]: token })}`

/**
 * Returns the digests under which a token is stored. They are derived from the root secrets, so the link cannot be
 * recovered from the database. The first digest is derived from the current root secret.
 */
export const digestInvitationToken = (
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  token: string,
): Promise<readonly [string, ...string[]]> => seals.digests(label(tenantId), token)

const label = (tenantId: string): SealLabel => `administrator-invitation/${tenantId}`
