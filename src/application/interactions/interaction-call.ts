import type { Experience } from '../../contract/experience/experience.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { AuditTrail } from '../audit-trail.ts'
import type { MessageRequest } from '../connectors/send-message.ts'
import type { OpenInteraction } from './open-interaction.ts'

/** A call of the interaction API, as the use cases behind it see the request. */
export type InteractionCall = {
  tenantId: string
  open: OpenInteraction
  audit: AuditTrail
  /** The tenant's; read anew where the caller asks for it (spec/interaction#call-order). */
  experience(): Promise<Experience>
  trustedBrowser(): Promise<TrustedBrowser | null>
  /** Scheme, host and port of the page. */
  origin: string
  ip: string | undefined
  /** Where the request comes from. */
  place(): SignInPlace
  userAgent: string | undefined
  message: MessageRequest
  /** Runs a task after the answer, for what does not decide it. */
  background(task: () => Promise<unknown>): void
}
