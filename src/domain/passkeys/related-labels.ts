/**
 * Counts the different labels of origins that share passkeys, as browsers do (WebAuthn Level 3 §5.11.1). A label is the
 * name of a registrable domain without its public suffix. The list of public suffixes is not available here, so a short
 * name before a country code is assumed to be part of the suffix, as in `co.uk`.
 */
export function countRelatedLabels(origins: readonly string[]): number {
  return new Set(origins.map((origin) => registrableLabel(new URL(origin).hostname))).size
}

function registrableLabel(hostname: string): string {
  const labels = hostname.split('.')
  const [country = '', below = ''] = labels.toReversed()
  const hasLongSuffix = labels.length > 2 && country.length === 2 && below.length <= 3
  return labels.at(hasLongSuffix ? -3 : -2) ?? hostname
}
