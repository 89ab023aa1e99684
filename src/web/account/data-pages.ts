import { activityPage } from './activity-page.tsx'
import { dataPage } from './data-page.tsx'
import { notMePage } from './not-me-page.tsx'

/** What is stored about the user, by address. */
export const dataPages = {
  '/account/activity': activityPage,
  '/account/not-me': notMePage,
  '/account/data': dataPage,
}
