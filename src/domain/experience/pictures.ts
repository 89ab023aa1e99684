/** Checks picture URLs against the content security policy of the pages (spec/pages#csp). */
import { hasSpaceOrControl } from '../../contract/blank.ts'
import type { Refusal } from '../../contract/errors.ts'
import { ASSET_PATH_PATTERN, type SignInExperience } from '../../contract/experience/experience.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'

export type PictureUrl = { path: readonly (string | number)[]; address: string | null | undefined }

/**
 * Returns an error if the content security policy would block a URL. `origin` is the origin of the pages, which use
 * http in development.
 */
export function findPictureProblem(pictures: readonly PictureUrl[], origin?: string): Refusal | null {
  const issues = pictures.flatMap(({ path, address }) =>
    isLoadablePicture(address, origin)
      ? []
      : [{ path, message: 'is not an https address or an address of this server' }],
  )
  return issues.length > 0 ? unprocessableInput(issues) : null
}

/**
 * Checks whether the content security policy allows a picture URL. The policy cannot express a literal IPv6 address.
 */
export const isLoadablePicture = (url: string | null | undefined, origin?: string): boolean =>
  !url ||
  url.startsWith('/') ||
  /^https:\/\/[\w.-]+(?::\d+)?(?:[/?#]|$)/i.test(url) ||
  (origin !== undefined && URL.parse(url)?.origin === origin)

/**
 * Returns the problem with a logo URL, or null. Pages call it while the operator types. It repeats the schema's rules
 * for URLs, because browsers do not download the schema library. `origin` is the origin of the sign-in pages.
 */
export function findLogoUrlProblem(url: string, origin?: string): 'path' | 'form' | 'scheme' | null {
  if (url.startsWith('/')) return ASSET_PATH_PATTERN.test(url) ? null : 'path'
  const isUrl = URL.canParse(url) && !hasSpaceOrControl(url) && url.length <= MAX_URL_LENGTH
  if (!isUrl) return 'form'
  return isLoadablePicture(url, origin) ? null : 'scheme'
}

const MAX_URL_LENGTH = 2048

/** Returns the picture URLs in settings, with their paths. All branding fields except the name are URLs. */
export function collectPictures({
  branding: { name: _name, ...logos } = {},
  layout,
}: Partial<Pick<SignInExperience, 'branding' | 'layout'>>): PictureUrl[] {
  return [
    ...Object.entries(logos).map(([name, address]) => ({ path: ['branding', name], address })),
    ...(layout?.type === 'Split' ? [{ path: ['layout', 'pictureUrl'], address: layout.pictureUrl }] : []),
  ]
}

/**
 * Returns the absolute address of a picture that email clients can show, or undefined if there is none. They show no
 * SVG, and only the name tells what an address contains.
 */
export function toMailPicture(address: string | undefined, origin: string): string | undefined {
  const url = address ? URL.parse(address, origin) : null
  return url && /\.(?:png|jpe?g|webp)$/i.test(url.pathname) ? url.href : undefined
}
