import { randomId } from '../../storage/ids.ts'
import type { Label } from '../../storage/seal.ts'
import type { Dependencies } from '../dependencies.ts'

export const INVITATION_PATH = '/account/invitation'
export const INVITATION_PARAM = 'token'

/** Milliseconds: long enough to open a browser, too short for a link that lies in the scrollback of a terminal. Ours. */
export const INVITATION_LIFETIME = 10 * 60 * 1000

/** Letters and digits: 255 bits. */
const TOKEN_LENGTH = 43

export const newInvitationToken = (): string => randomId(TOKEN_LENGTH)

export const invitationUrl = (origin: string, token: string): string =>
  `${origin}${INVITATION_PATH}?${new URLSearchParams({ [INVITATION_PARAM]: token })}`

/** By which the database knows a token: without the root secret nothing in it makes a link. The first one is of the present secret. */
export const invitationIds = (
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  token: string,
): Promise<readonly [string, ...string[]]> => seals.digests(label(tenantId), token)

const label = (tenantId: string): Label => `administrator-invitation/${tenantId}`
