/** A decorative icon beside text or in a labelled button. Screen readers ignore it. */
export const Icon = ({ path }: { path: string }) => (
  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
)

const icon = (path: string) => () => <Icon path={path} />

/** The path of the circle that round icons share. */
export const CIRCLE_PATH = 'M2.5 10a7.5 7.5 0 1 0 15 0 7.5 7.5 0 1 0-15 0'

export const EyeIcon = icon(
  'M1.8 10S4.8 4.4 10 4.4 18.2 10 18.2 10s-3 5.6-8.2 5.6S1.8 10 1.8 10ZM7.5 10a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0',
)
export const EyeClosedIcon = icon(
  'M8 4.7A8 8 0 0 1 10 4.4c5.2 0 8.2 5.6 8.2 5.6a14 14 0 0 1-2.2 2.8M5 6.2A14.3 14.3 0 0 0 1.8 10S4.8 15.6 10 15.6a7.9 7.9 0 0 0 3.9-1M3 3l14 14M8.3 8.2a2.5 2.5 0 0 0 3.5 3.5',
)
export const CloseIcon = icon('m5 5 10 10M15 5 5 15')
export const ClearIcon = icon('m6.5 6.5 7 7m0-7-7 7')
export const ChevronIcon = icon('m6 8 4 4 4-4')
/** Points to the next page. Styles mirror it in right-to-left languages. */
export const NextIcon = icon('m7.5 5 5 5-5 5')
export const CheckIcon = icon('m4.5 10.5 4 4 7-9')
export const SearchIcon = icon('M3.5 9a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M13.2 13.2l3.8 3.8')
export const BackIcon = icon('M12.5 4.5 7 10l5.5 5.5')
export const GlobeIcon = icon(`${CIRCLE_PATH}M2.5 10h15M10 2.5c5 4.5 5 10.5 0 15-5-4.5-5-10.5 0-15Z`)
export const AlertIcon = icon(`${CIRCLE_PATH}M10 6.2v4.3m0 3v.1`)
/** A filled sign that is smaller than the icons. */
export const WarningSign = () => (
  <svg viewBox="0 0 14 14" aria-hidden="true" focusable="false">
    <path fillRule="evenodd" d="M7 .5 14 13H0ZM6.2 4.8v4h1.6v-4Zm0 5v1.6h1.6V9.8Z" />
  </svg>
)
export const PersonIcon = icon(
  'M6.8 7a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0M3.8 16.8c.7-3.2 3.1-4.8 6.2-4.8s5.5 1.6 6.2 4.8',
)
export const EnvelopeIcon = icon('M2.5 5.5h15v10h-15ZM2.5 6l7.5 5.5L17.5 6')
export const PhoneIcon = icon(
  'M6 2.5h8a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM9 15h2',
)
export const KeyIcon = icon('M3 13a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0M9 10.5l7-7m-3.5 3.5 2.5 2.5')
/** A person with a key, as on other sites' buttons for passkeys. */
export const PasskeyIcon = icon(
  'M4.8 6a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0M1.8 16.2c.6-3.2 2.8-4.8 6.2-4.8 1 0 2 .2 2.8.5M13 11a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M15.5 13.5v4.5m0-2h1.5',
)
export const ShieldIcon = icon('M10 2.5 4 5v4.5c0 4 2.6 6.6 6 8 3.4-1.4 6-4 6-8V5Zm-2.5 7.5 2 2 3.5-4')
export const ListIcon = icon('M3.5 4.5h13v11h-13ZM6.5 8h2.5m2 0h2.5m-7 4h2.5m2 0h2.5')
export const DeviceIcon = icon('M3 4.5h14v9H3Zm4 12h6m-3-3v3')
