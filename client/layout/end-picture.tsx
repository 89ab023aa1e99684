import type { ReactNode } from 'react'

/** The kinds of endings of an interaction, each with its own picture (spec/pages#ends). */
export type EndingKind = 'expired' | 'notFound' | 'failed' | 'signedOut' | 'done'

/**
 * A decorative picture. Screen readers ignore it, because the heading beside it says the same. It uses the theme
 * and brand colours, so it needs no variants.
 */
export function EndingPicture({ kind }: { kind: EndingKind }) {
  return (
    <svg className="picture" viewBox="0 0 160 112" aria-hidden="true" focusable="false">
      <circle className="picture-ground" cx="80" cy="56" r="50" />
      {drawings[kind]}
    </svg>
  )
}

const drawings: Record<EndingKind, ReactNode> = {
  // An hourglass that has run out
  expired: (
    <>
      <path
        className="picture-body"
        d="M62 26v6c0 13 13 14 13 24s-13 11-13 24v6h36v-6c0-13-13-14-13-24s13-11 13-24v-6Z"
      />
      <path className="picture-fill" d="M67 82c1-7 6-11 13-14 7 3 12 7 13 14v3H67Z" />
      <path d="M56 26h48M56 86h48" />
    </>
  ),
  // A magnifying glass that shows nothing
  notFound: (
    <>
      <path className="picture-brand" d="m91 67 19 19" />
      <circle className="picture-body" cx="74" cy="50" r="24" />
      <path d="M67 44a7 7 0 1 1 10.5 6c-2.4 1.5-3.5 3-3.5 5.5M74 61.5v.1" />
    </>
  ),
  // A warning sign
  failed: (
    <>
      <path
        className="picture-body"
        d="M75.7 29.5a5 5 0 0 1 8.6 0l28.2 48.8a5 5 0 0 1-4.3 7.5H51.8a5 5 0 0 1-4.3-7.5Z"
      />
      <path className="picture-brand" d="M80 47v18m0 9v.1" />
    </>
  ),
  // A closed door
  signedOut: (
    <>
      <path className="picture-wall" d="M54 90V54a26 26 0 0 1 52 0v36Z" />
      <path className="picture-body" d="M64 90V54a16 16 0 0 1 32 0v36Z" />
      <circle className="picture-fill" cx="89" cy="72" r="2.5" />
      <path d="M44 90h72" />
    </>
  ),
  // A check mark among plus signs
  done: (
    <>
      <path className="picture-brand" d="M20 34v10m-5-5h10M136 20v10m-5-5h10M142 76v8m-4-4h8" />
      <circle className="picture-fill" cx="80" cy="56" r="32" />
      <path className="picture-check" d="m66 57 10 10 19-21" />
    </>
  ),
}
