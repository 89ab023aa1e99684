import type { Statement } from '../../storage/batches.ts'
import type { FinishedAuthorization } from '../../storage/interactions/conclusions.ts'
import type { UserRow } from '../../storage/users/users.ts'

/**
 * Finishing an authorization together with the submission of its interaction (spec/interaction#direct-response). The
 * provider does this, with the same code as for a resume, so it is a dependency of the API.
 */
export type PrepareAuthorization = (submission: {
  tenantId: string
  requestId: string
  ip: string | undefined
  request: Request
  uid: string
  userId: string | undefined
}) => Promise<PreparedAuthorization>

export type PreparedAuthorization = {
  /** Reads the rows that the provider needs. They are sent in the round trip that reads the interaction. */
  statements: readonly Statement[]
  /**
   * Runs the provider as if the interaction already had this result, without writing anything. `results` are those of
   * the statements. Returns null if the provider responds with anything but a redirect to the application, for example
   * with a page that asks for consent. The browser then has to resume the interaction.
   */
  finish(results: readonly unknown[], login: SubmittedLogin): Promise<AuthorizationResponse | null>
}

export type SubmittedLogin = {
  result: Record<string, unknown>
  /** The user who signs in. A user who registers is the row that the submission inserts. */
  user: UserRow
}

export type AuthorizationResponse = {
  /** The address of the application, with the code. It must not be logged. */
  redirectTo: string
  /** The `Set-Cookie` headers of the session, and those that delete cookies of the interaction. */
  cookies: readonly string[]
  /** The writes to commit in the batch of the submission. */
  finished: FinishedAuthorization
  /** Tasks to run after the response. */
  tasks: readonly (() => Promise<unknown>)[]
}
