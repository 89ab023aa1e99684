/** Which pictures the pages' own policy loads (spec/pages#csp). */
import { hasBlank } from '../../contract/blank.ts'
import type { Refusal } from '../../contract/errors.ts'
import { ASSET_PATH, type SignInExperience } from '../../contract/experience/experience.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'

export type PictureAddress = { path: readonly (string | number)[]; address: string | null | undefined }

/** Refuses what would be blocked. `origin` is that of the pages, which is http in development. */
export function pictureProblem(pictures: readonly PictureAddress[], origin?: string): Refusal | null {
  const issues = pictures.flatMap(({ path, address }) =>
    isPicture(address, origin) ? [] : [{ path, message: 'is not an address of https or of this server' }],
  )
  return issues.length > 0 ? unprocessableInput(issues) : null
}

/** CSP cannot express the host of a literal IPv6 address. */
export const isPicture = (address: string | null | undefined, origin?: string): boolean =>
  !address ||
  address.startsWith('/') ||
  /^https:\/\/[\w.-]+(?::\d+)?(?:[/?#]|$)/i.test(address) ||
  (origin !== undefined && URL.parse(address)?.origin === origin)

/**
 * What is wrong with an address of a logo while it is typed: what its schema and `isPicture` refuse together, without the schema
 * library, which no browser downloads.
 */
export function pictureFault(address: string): 'path' | 'form' | 'scheme' | null {
  if (address.startsWith('/')) return ASSET_PATH.test(address) ? null : 'path'
  const isUrl = URL.canParse(address) && !hasBlank(address) && address.length <= MAX_ADDRESS_LENGTH
  if (!isUrl) return 'form'
  return isPicture(address) ? null : 'scheme'
}

const MAX_ADDRESS_LENGTH = 2048

/** The pictures of given settings, by their places. All of the branding but the name is addresses. */
export function picturesIn({
  branding: { name: _name, ...logos } = {},
  layout,
}: Partial<Pick<SignInExperience, 'branding' | 'layout'>>): PictureAddress[] {
  return [
    ...Object.entries(logos).map(([name, address]) => ({ path: ['branding', name], address })),
    ...(layout?.type === 'Split' ? [{ path: ['layout', 'pictureUrl'], address: layout.pictureUrl }] : []),
  ]
}
