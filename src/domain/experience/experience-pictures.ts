import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { GivenPicture } from './pictures.ts'

/** The pictures of given settings, by their places. All of the branding but the name is addresses. */
export function picturesIn({
  branding: { name: _name, ...logos } = {},
  layout,
}: Partial<Pick<SignInExperience, 'branding' | 'layout'>>): GivenPicture[] {
  return [
    ...Object.entries(logos).map(([name, address]) => ({ path: ['branding', name], address })),
    ...(layout?.type === 'Split' ? [{ path: ['layout', 'pictureUrl'], address: layout.pictureUrl }] : []),
  ]
}
