import { Icon } from '../ui/icons.tsx'

/** The icons of the account centre. They are not in `client/ui/icons.tsx`, which the sign-in pages load. */
const icon = (path: string) => () => <Icon path={path} />

export const HomeIcon = icon('M3 9.2 10 3l7 6.2M5 7.8V16.5h3.7v-4.2h2.6v4.2H15V7.8')
export const AppsIcon = icon('M3.5 3.5h5v5h-5Zm8 0h5v5h-5Zm-8 8h5v5h-5Zm8 0h5v5h-5Z')
export const ActivityIcon = icon('M3.6 8a6.8 6.8 0 1 1-.3 3.6M3.3 4.4V8.2h3.8M10 6.4V10l2.6 1.8')
export const DataIcon = icon('M3 5.5h14v3H3Zm1 3v7.5h12V8.5M8 11.5h4')
export const LockIcon = icon('M4.5 9h11v8h-11ZM7 9V6.2a3 3 0 0 1 6 0V9m-3 3.2v1.8')
export const LinkIcon = icon(
  'M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1m1 3.2a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1',
)
export const StepsIcon = icon(
  'M10 2.5 4 5v4.5c0 4 2.6 6.6 6 8 3.4-1.4 6-4 6-8V5ZM7.6 12.5V10.7l2.4-2 2.4 2v1.8M10 8.7V6.6',
)
export const BrowserIcon = icon('M2.8 4h14.4v12H2.8ZM2.8 7.5h14.4M5 5.8h.1m2 0h.1')
export const AttentionIcon = icon('M10 2.5 4 5v4.5c0 4 2.6 6.6 6 8 3.4-1.4 6-4 6-8V5Zm0 4v4m0 2.6v.1')
export const DownloadIcon = icon('M10 3v9.5m-4-4 4 4 4-4M3.5 16.5h13')
export const TrashIcon = icon('M3.5 5.5h13M8 5.5v-2h4v2m3 0-.8 11H5.8L5 5.5m3.3 3 .2 5m3.2-5-.2 5')
export const OrganizationsIcon = icon(
  'M4 17V3.5h7V17m0-9.5h5V17M2.5 17h15M6.5 6.5h2m-2 3.5h2m-2 3.5h2m5-3h.1m-.1 3h.1',
)
export const MembersIcon = icon(
  'M4.8 6.8a2.7 2.7 0 1 0 5.4 0 2.7 2.7 0 1 0-5.4 0M2.5 16c.3-3 2.3-4.5 5-4.5s4.7 1.5 5 4.5m0-11.6a2.5 2.5 0 0 1 0 4.8m2 2.8c2 .4 2.9 1.8 3.2 4',
)
export const SettingsIcon = icon(
  'M3.5 6.5h7m4 0h2m-13 7h2m4 0h7M10.5 6.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0M5.5 13.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
)
export const LeaveIcon = icon('M11 3.5H4.5v13H11M8.5 10h8.5m-3-3 3 3-3 3')
