import type { ErrorCode } from '../../contract/errors.ts'
import type { DevicePage } from '../../contract/sessions/device.ts'

/** A request for a page, together with the tenant of its host. */
export type PageRequest = { tenantId: string; request: Request }

/**
 * The pages that the OpenID provider shows (spec/pages#logout). `src/web` renders them, and `app.ts` passes them to the
 * provider.
 */
export type OidcPages = {
  error(
    page: PageRequest,
    error: {
      status: number
      code: ErrorCode
      message: string
      description?: string | undefined
      /** The id of the requesting client, if it is known and valid. */
      clientId?: string | undefined
    },
  ): Promise<Response>
  /** Shows the logout page. If `asksToConfirm` is true, the user confirms it; otherwise the form submits itself. */
  logout(
    page: PageRequest,
    form: { action: string; xsrf: string; asksToConfirm: boolean; postLogoutRedirectUri: string | undefined },
  ): Promise<Response>
  /** Shows that the user is signed out. `clientId` is the application that requested it, if it is known. */
  loggedOut(page: PageRequest, request: { clientId: string | undefined }): Promise<Response>
  /** Shows a page of the device flow, in which users sign in on a device without a browser (spec/pages#devices). */
  device(page: PageRequest, content: { page: DevicePage; status: number }): Promise<Response>
  /** Returns the language of the OpenID provider's pages. */
  language(page: PageRequest): Promise<string>
}
