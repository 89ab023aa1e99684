/**
 * A decorative picture of a face, a fingerprint and a key, in the style of the pictures at the end of a visit
 * (client/layout/end-picture.tsx).
 */
export const PasskeyPicture = () => (
  <svg className="passkey-picture" viewBox="0 0 120 96" aria-hidden="true" focusable="false">
    <circle className="passkey-ground" cx="60" cy="48" r="44" />
    {/* A face */}
    <rect className="passkey-body" x="18" y="20" width="46" height="46" rx="12" />
    <path d="M33 35v5m16-5v5m-8-4v9h-3m-5 5c4.5 4.5 11.5 4.5 16 0" />
    {/* A fingerprint */}
    <circle className="passkey-body" cx="80" cy="42" r="22" />
    <path
      className="passkey-brand"
      d="M68 44a12 12 0 0 1 24 0v5m-19.5 4.5c1-3 1-6 1-9.5a6.5 6.5 0 0 1 13 0c0 4.5-.5 8.5-2 12.5M80 44c0 5-1 9-3 13"
    />
    {/* A key */}
    <path className="passkey-body passkey-brand" d="M40 78a8 8 0 1 0 16 0 8 8 0 1 0-16 0m16 0h30v7m-9-7v5" />
  </svg>
)
