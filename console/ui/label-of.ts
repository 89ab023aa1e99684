/** What a field is called, by its path (`config.url`): a part without a label of its own is called as what it is part of. */
export function labelOf(labels: Readonly<Record<string, string>>, path: string): string {
  const parts = path.split('.')
  const known = parts.map((_, at) => parts.slice(0, parts.length - at).join('.'))
  return labels[known.find((each) => Object.hasOwn(labels, each)) ?? ''] ?? path
}
