/** The account-centre pages that a preview can show (spec/experience#account-preview). */
export const previewedAccountPages = [
  '/account',
  '/account/profile',
  '/account/sign-in',
  '/account/activity',
] as const
export type PreviewedAccountPage = (typeof previewedAccountPages)[number]

export const isPreviewedAccountPage = (path: string): path is PreviewedAccountPage =>
  previewedAccountPages.some((page) => page === path)
