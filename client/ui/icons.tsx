import type { ReactNode } from 'react'

const icon = (paths: ReactNode) => (
  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    {paths}
  </svg>
)

export const EyeIcon = () =>
  icon(
    <>
      <path d="M1.8 10S4.8 4.4 10 4.4 18.2 10 18.2 10s-3 5.6-8.2 5.6S1.8 10 1.8 10Z" />
      <circle cx="10" cy="10" r="2.5" />
    </>,
  )

export const EyeClosedIcon = () =>
  icon(
    <>
      <path d="M8 4.7A8 8 0 0 1 10 4.4c5.2 0 8.2 5.6 8.2 5.6a14 14 0 0 1-2.2 2.8M5 6.2A14.3 14.3 0 0 0 1.8 10S4.8 15.6 10 15.6a7.9 7.9 0 0 0 3.9-1" />
      <path d="m3 3 14 14M8.3 8.2a2.5 2.5 0 0 0 3.5 3.5" />
    </>,
  )

export const CloseIcon = () => icon(<path d="m5 5 10 10M15 5 5 15" />)

export const ClearIcon = () => icon(<path d="m6.5 6.5 7 7m0-7-7 7" />)

export const ChevronIcon = () => icon(<path d="m6 8 4 4 4-4" />)

export const CheckIcon = () => icon(<path d="m4.5 10.5 4 4 7-9" />)

export const SearchIcon = () =>
  icon(
    <>
      <circle cx="9" cy="9" r="5.5" />
      <path d="m13.2 13.2 3.8 3.8" />
    </>,
  )

export const BackIcon = () => icon(<path d="M12.5 4.5 7 10l5.5 5.5" />)

export const GlobeIcon = () =>
  icon(
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M2.5 10h15M10 2.5c5 4.5 5 10.5 0 15-5-4.5-5-10.5 0-15Z" />
    </>,
  )

export const AlertIcon = () =>
  icon(
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 6.2v4.3m0 3v.1" />
    </>,
  )
